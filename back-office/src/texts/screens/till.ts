import { part } from '../language.ts'

export const { tillTexts } = await part<typeof import('../en/screens/till.ts')>('screens/till')
