import { en } from './en.ts'
import { fr } from './fr.ts'

type ConnectTexts = typeof en
export type System = keyof ConnectTexts['steps']['systems']

const LANGUAGES: Readonly<Record<string, ConnectTexts>> = { en, fr }

/** The first language of a browser that there is; English otherwise. */
export function connectTexts(acceptLanguage = ''): { language: string; texts: ConnectTexts } {
  const wanted = acceptLanguage.split(',').map((each) => each.trim().slice(0, 2).toLowerCase())
  const language = wanted.find((each) => Object.hasOwn(LANGUAGES, each)) ?? 'en'
  return { language, texts: LANGUAGES[language]! }
}
