import { part } from '../language.ts'

export const { printerTexts } = await part<typeof import('../en/printing/printers.ts')>('printing/printers')
