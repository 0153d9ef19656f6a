import { part } from '../language.ts'

export const { formTexts, stopListTexts } = await part<typeof import('../en/office/forms.ts')>('office/forms')
