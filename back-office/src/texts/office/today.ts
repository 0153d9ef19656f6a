import { part } from '../language.ts'

export const { todayTexts } = await part<typeof import('../en/office/today.ts')>('office/today')
