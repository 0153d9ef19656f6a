import { part } from '../language.ts'

export const { setupTexts } = await part<typeof import('../en/office/setup.ts')>('office/setup')
