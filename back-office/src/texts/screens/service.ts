import { part } from '../language.ts'

export const { serviceTexts } = await part<typeof import('../en/screens/service.ts')>('screens/service')
