import { part } from '../language.ts'

export const { activityTexts, requestTexts } =
  await part<typeof import('../en/integrations/activity.ts')>('integrations/activity')
