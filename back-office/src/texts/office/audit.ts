import { part } from '../language.ts'

export const { auditTexts } = await part<typeof import('../en/office/audit.ts')>('office/audit')
