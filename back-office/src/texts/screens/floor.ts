import { part } from '../language.ts'

export const { floorTexts } = await part<typeof import('../en/screens/floor.ts')>('screens/floor')
