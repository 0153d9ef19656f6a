import { part } from '../language.ts'

export const { openApiTexts, newCredentialTexts, secretTexts, passwordTexts, permissionTexts } =
  await part<typeof import('../en/integrations/open-api.ts')>('integrations/open-api')
