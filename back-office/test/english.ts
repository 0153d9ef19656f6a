import { texts } from '../src/texts/en/index.ts'
import { speak } from '../src/texts/texts.ts'

// Imported first by tests of what pages are made of, which have no page to load the texts.
speak(texts)
