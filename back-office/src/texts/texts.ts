import { en } from './en/en.ts'

export type Texts = typeof en

export const texts: Texts = en

/** The language that dates and numbers are written in: that of the texts. */
export const LOCALE = 'en-GB'
// Files of their own, which only the pages that use them load.
export { operatorTexts } from './en/operator.ts'
export { rightTexts } from './en/rights.ts'
export { webhookTexts } from './en/screens/webhooks.ts'
