import { part } from '../language.ts'

export const { webhookTexts } = await part<typeof import('../en/integrations/webhooks.ts')>('integrations/webhooks')
