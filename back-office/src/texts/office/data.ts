import { part } from '../language.ts'

export const { dataTexts } = await part<typeof import('../en/office/data.ts')>('office/data')
