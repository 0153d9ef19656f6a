import type { texts as english } from './en/index.ts'

export type Texts = typeof english

/** The sentences of the language in use: set before any page is loaded. Another language is another load of the page. */
export let texts: Texts

/** The language that dates and numbers are written in: that of the texts. */
export let LOCALE: string

export function speak(language: Texts): void {
  texts = language
  LOCALE = language.locale
}
