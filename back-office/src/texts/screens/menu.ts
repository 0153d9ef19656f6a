import { part } from '../language.ts'

export const { menuTexts } = await part<typeof import('../en/screens/menu.ts')>('screens/menu')
