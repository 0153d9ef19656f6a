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

export default defineConfig({
  base: '/back-office/',
  plugins: [react(), themeVariables, mergeRefsAlone],
  build: {
    target: 'baseline-widely-available',
    license: { fileName: '.vite/licences.json' }, // for NOTICE (scripts/release)
    assetsInlineLimit: 0, // an inlined icon would need an exception in the policy
    modulePreload: { polyfill: false },
    // Every page needs them. One file, which compresses better than the many that would be made of them.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|@tanstack)[\\/]/ }],
        },
      },
    },
  },
  // For work on the pages: `comptoir serve --demo` answers what they ask.
  server: { proxy: { '/back-office/api': 'http://127.0.0.1:8080' } },
})
