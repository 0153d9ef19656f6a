import { part } from '../language.ts'

export const { rightTexts } = await part<typeof import('../en/office/rights.ts')>('office/rights')
