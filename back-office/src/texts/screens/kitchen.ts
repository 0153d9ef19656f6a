import { part } from '../language.ts'

export const { kitchenTexts } = await part<typeof import('../en/screens/kitchen.ts')>('screens/kitchen')
