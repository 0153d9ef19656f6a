import { en } from './en/en.ts'

export type Texts = typeof en

export const texts: Texts = en

/** The language that dates and numbers are written in: that of the texts. */
export const LOCALE = 'en-GB'
export { rightTexts } from './en/rights.ts'
