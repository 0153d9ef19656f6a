import { part } from '../language.ts'

export const { customerTexts } = await part<typeof import('../en/screens/customers.ts')>('screens/customers')
