import { part } from '../language.ts'

export const { shiftTexts } = await part<typeof import('../en/screens/shift.ts')>('screens/shift')
