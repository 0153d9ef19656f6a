import { createTheme, type MantineColorsTuple } from '@mantine/core'

// Bottle green on warm greys: the colours of a bar counter, quiet enough to look at all day.

const bottle: MantineColorsTuple = [
  '#edf6f1',
  '#dbebe2',
  '#b4d6c4',
  '#8ac0a3',
  '#67ad87',
  '#519f74',
  '#3f8f64',
  '#337d56',
  '#2a6b4a',
  '#1c5538',
]
const gray: MantineColorsTuple = [
  '#faf9f7',
  '#f4f2ef',
  '#eceae6',
  '#e2dfda',
  '#d3cfc8',
  '#a8a29a',
  '#67615a',
  '#544e47',
  '#38342f',
  '#211e1b',
]
const dark: MantineColorsTuple = [
  '#e9e7e4',
  '#c9c5bf',
  '#aaa59e',
  '#938e87',
  '#4b4742',
  '#3a3733',
  '#2b2926',
  '#201e1c',
  '#191816',
  '#121110',
]

const noLock = { lockScroll: false } // it would write a style element, which the Content Security Policy refuses

export const theme = createTheme({
  primaryColor: 'bottle',
  primaryShade: 8,
  colors: { bottle, gray, dark },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' } } },
  components: {
    InputWrapper: { defaultProps: { withAsterisk: false } }, // nearly everything asked for is needed
    Badge: { defaultProps: { tt: 'none' } },
    Modal: { defaultProps: { ...noLock, centered: true, padding: 'lg', overlayProps: { backgroundOpacity: 0.45 } } },
    Drawer: { defaultProps: { ...noLock, overlayProps: { backgroundOpacity: 0.45 } } },
    Tooltip: { defaultProps: { openDelay: 250, events: { hover: true, focus: true, touch: false } } },
  },
})
