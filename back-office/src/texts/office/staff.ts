import { part } from '../language.ts'

export const { staffTexts } = await part<typeof import('../en/office/staff.ts')>('office/staff')
