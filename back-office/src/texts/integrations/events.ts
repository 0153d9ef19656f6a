import { part } from '../language.ts'

export const { eventTexts } = await part<typeof import('../en/integrations/events.ts')>('integrations/events')
