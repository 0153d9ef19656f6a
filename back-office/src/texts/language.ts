import { speak, type Texts } from './texts.ts'

// A language is a folder beside `en`, with the same files: `index.ts`, and one for each group of pages, which only these load. Its
// index may export `typeset`, which every sentence passes.

// Without the build, as in tests of what pages are made of, there is English only.
const BUILT = import.meta.env !== undefined
interface Index {
  readonly texts: Texts
  readonly typeset?: (text: string) => string
}
const INDEXES: Record<string, () => Promise<Index>> = BUILT ? import.meta.glob<Index>('./*/index.ts') : {}
const PARTS: Record<string, () => Promise<unknown>> = BUILT ? import.meta.glob<unknown>('./*/*/*.ts') : {}
const STORED = 'comptoir.language'

/** The languages that the pages can be read in. */
export const languages: readonly string[] = Object.keys(INDEXES).map((path) => path.split('/')[1]!)

/** The first of `wanted`, by its primary subtag, that the pages have. */
export const bestOf = (wanted: readonly string[]): string =>
  wanted.map((tag) => tag.toLowerCase().split('-')[0]!).find((tag) => languages.includes(tag)) ?? 'en'

/** Storage may be forbidden: then nothing is remembered. */
function attempt<Result>(step: () => Result): Result | undefined {
  try {
    return step()
  } catch {
    return undefined
  }
}

/** The language of this load of the page: the one last used in this browser, else the browser's own. */
export const language = BUILT
  ? bestOf([attempt(() => localStorage.getItem(STORED)) ?? '', ...navigator.languages])
  : 'en'

/** What a language calls itself. */
export function nameOfLanguage(tag: string): string {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

/** Keeps a language for this browser, and loads the page again where it is another than the one in use. */
export function keepLanguage(tag: string): void {
  attempt(() => localStorage.setItem(STORED, tag))
  if (tag !== language && attempt(() => localStorage.getItem(STORED)) === tag) location.reload()
}

const PICKED = 'comptoir.language.picked'

/** Somebody who is not signed in yet picks a language: it becomes theirs if they never chose one. */
export function pickLanguage(tag: string): void {
  attempt(() => sessionStorage.setItem(PICKED, tag))
  keepLanguage(tag)
}

/** What was picked before signing in, once. */
export function pickedLanguage(): string | undefined {
  const picked = attempt(() => sessionStorage.getItem(PICKED)) ?? undefined
  attempt(() => sessionStorage.removeItem(PICKED))
  return picked
}

const indexOf = (tag: string): Promise<Index> => INDEXES[`./${tag}/index.ts`]!()
let typeset: Index['typeset']

export async function loadTexts(): Promise<void> {
  const index = await indexOf(language)
  typeset = index.typeset
  const texts = inType(index.texts)
  speak(texts)
  document.documentElement.lang = language
  document.documentElement.dir = texts.direction
}

/** The texts of some pages, which only these load. */
export const part = async <File>(name: string) =>
  inType((await (PARTS[`./${language}/${name}.ts`]?.() ?? import(/* @vite-ignore */ `./en/${name}.ts`))) as File)

/** The same in a language that somebody else reads, and how it writes dates and numbers; English where the pages lack it. */
export async function partIn<File>(tag: string, name: string): Promise<{ texts: File; locale: string }> {
  const known = bestOf([tag])
  const [index, texts] = await Promise.all([indexOf(known), PARTS[`./${known}/${name}.ts`]!()])
  return { texts: inType(texts as File, index.typeset), locale: index.texts.locale }
}

/** The same texts with every sentence typeset, also those that functions make. */
function inType<Value>(value: Value, set = typeset): Value {
  if (!set) return value
  if (typeof value === 'string') return set(value) as Value
  if (typeof value === 'function') return ((...inputs: unknown[]) => inType(value(...inputs), set)) as Value
  if (Array.isArray(value)) return value.map((each) => inType(each, set)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inType(each, set)])) as Value
}
