import { part } from '../language.ts'

export const { bookTexts } = await part<typeof import('../en/office/books.ts')>('office/books')
