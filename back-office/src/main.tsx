import { loadTexts } from './texts/language.ts'

await loadTexts()
// After the texts: modules of pages read them as they load.
await import('./app.tsx')
