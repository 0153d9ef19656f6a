import { loadTexts } from './texts/language.ts'

await loadTexts()
// After the texts: modules of pages read them as they load.
await import('./app.tsx')
const { startWorker } = await import('./offline/version.ts')
await startWorker(new URL(import.meta.url).pathname).catch(() => {}) // it only adds to the pages
