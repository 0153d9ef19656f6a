import { createHash } from 'node:crypto'
import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { theme } from './src/theme.ts'

const THEME = 'virtual:theme.css'

/**
 * The theme's variables as a file. Mantine would put them into a style element as the page starts, which the Content Security
 * Policy refuses, and rightly.
 */
const themeVariables: Plugin = {
  name: 'theme-variables',
  resolveId: (id) => (id === THEME ? `\0${THEME}` : undefined),
  load: (id) =>
    id === `\0${THEME}`
      ? convertCssVariables(defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme)))
      : undefined,
}

const MERGE_REFS = 'virtual:merge-refs'

/** Mantine's scroll areas, and so every dialog, use one function of this library, which brings 15 kB of menu positioning with it. */
const mergeRefsAlone: Plugin = {
  name: 'merge-refs-alone',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === '@floating-ui/react' && /[\\/]ScrollArea\.mjs$/.test(importer ?? '') ? `\0${MERGE_REFS}` : undefined,
  load: (id) =>
    id === `\0${MERGE_REFS}`
      ? "import { useMergedRef } from '@mantine/hooks'\nexport const useMergeRefs = (refs) => useMergedRef(...refs)"
      : undefined,
}

const BASE = '/back-office/'
/** What the till and the kitchen are made of, with what these load on demand; files that it imports follow. */
const SHELL =
  /\/src\/(main|app|texts\/\w+\/(index|office\/refusals|printing\/alarm|screens\/(till|kitchen|floor|service))|pages\/(till|kitchen)\/.+|pages\/sign-in\/sign-in|(live|offline)\/.+|service\/(?!reason-report).+|components\/(layers-loaded|printing\/.+))\.tsx?$/

/** Tells the service worker which files are in its copy of the pages, and which version they are. */
const shellOfWorker: Plugin = {
  name: 'shell-of-worker',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const files = new Set<string>()
    const take = (file: string) => {
      const chunk = bundle[file]
      if (!chunk || files.has(file)) return
      files.add(file)
      if (chunk.type !== 'chunk') return
      for (const other of chunk.imports) take(other)
      const { importedCss = [], importedAssets = [] } = chunk.viteMetadata ?? {}
      for (const other of [...importedCss, ...importedAssets]) take(other)
    }
    const worker = bundle['worker.js']!
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk' && chunk !== worker && chunk.moduleIds.some((id) => SHELL.test(id)))
        take(chunk.fileName)
    const names = [...files].sort()
    const page = bundle['index.html']!
    const version = createHash('sha256')
      .update(names.join())
      .update(page.type === 'asset' ? page.source : '')
      .digest('hex')
    if (worker.type !== 'chunk') throw new Error('the service worker is no script')
    worker.code = worker.code
      .replaceAll('SHELL_FILES', JSON.stringify(names.map((name) => BASE + name)))
      .replaceAll('SHELL_VERSION', JSON.stringify(version.slice(0, 16)))
  },
}

export default defineConfig({
  base: BASE,
  plugins: [react(), themeVariables, mergeRefsAlone, shellOfWorker],
  build: {
    target: 'baseline-widely-available',
    license: { fileName: '.vite/licences.json' }, // for NOTICE (scripts/release)
    assetsInlineLimit: 0, // an inlined icon would need an exception in the policy
    modulePreload: { polyfill: false },
    // Every page needs them. One file, which compresses better than the many that would be made of them.
    rolldownOptions: {
      input: { index: 'index.html', worker: 'src/offline/worker.ts' },
      output: {
        // The worker's address stays the same.
        entryFileNames: ({ name }) => (name === 'worker' ? 'worker.js' : 'assets/[name]-[hash].js'),
        codeSplitting: {
          groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|@tanstack)[\\/]/ }],
        },
      },
    },
  },
  // For work on the pages: `comptoir serve --demo` answers what they ask.
  server: { proxy: { '/back-office/api': 'http://127.0.0.1:8080' } },
})
