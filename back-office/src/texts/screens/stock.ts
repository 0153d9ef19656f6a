import { part } from '../language.ts'

export const { stockTexts } = await part<typeof import('../en/screens/stock.ts')>('screens/stock')
