import type { PrintLanguage } from '../documents.ts'
import { en, type Words } from './en.ts'
import { fr } from './fr.ts'

export const WORDS: Readonly<Record<PrintLanguage, Words>> = { en, fr }
