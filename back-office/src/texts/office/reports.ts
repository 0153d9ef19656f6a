import { part } from '../language.ts'

export const { reportTexts } = await part<typeof import('../en/office/reports.ts')>('office/reports')
