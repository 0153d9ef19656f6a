import { part } from '../language.ts'

export const { operatorTexts } = await part<typeof import('../en/office/operator.ts')>('office/operator')
