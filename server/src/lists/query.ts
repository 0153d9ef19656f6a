import { invalidParameter } from '../http/errors.ts'
import { unknownName } from './nearest.ts'

/** The parameters of lists (D2.1, P3, P4), by the name the documentation uses. */
export type ParameterName = 'page' | 'limit' | 'after' | 'venue' | 'filters' | 'fields' | 'include' | 'sort' | 'date'

interface Notation {
  /** Names that mean this parameter, ours first. */
  readonly spellings: readonly string[]
  /** Plain names for its parts: `date_from` means `date[0]`, `date_to` means `date[1]`. */
  readonly parts?: readonly string[]
  /** How many brackets may follow the name. */
  readonly depths: readonly number[]
  readonly example: string
}

/** Every way a list parameter may be written (D2.1, D2.3, D2.7, D2.8). Nothing else is read. */
export const NOTATIONS: Readonly<Record<ParameterName, Notation>> = {
  page: { spellings: ['page'], depths: [0], example: 'page=2' },
  limit: { spellings: ['limit', 'per_page', 'page_size'], depths: [0], example: 'limit=50' },
  after: { spellings: ['after'], depths: [0], example: 'after=' },
  venue: { spellings: ['venue'], depths: [0], example: 'venue=all' },
  filters: { spellings: ['filters', 'filter'], depths: [0, 2, 3], example: 'filters=[["id",">",10]]' },
  fields: { spellings: ['fields', 'selects'], depths: [0, 1], example: 'fields=id,name' },
  include: { spellings: ['include', 'with'], depths: [0, 1], example: 'include=prices' },
  sort: {
    spellings: ['sort'],
    parts: ['sort_by', 'sort_order'],
    depths: [1, 2],
    example: 'sort[0][0]=name&sort[0][1]=asc',
  },
  date: {
    spellings: ['date'],
    parts: ['date_from', 'date_to'],
    depths: [1],
    example: 'date[0]=2026-01-01&date[1]=2026-01-31',
  },
}

/** The meaning of one name in a query string; `part` is the position that a plain name stands for. */
export interface Spelling {
  /** One of the parameters that lists have in common, or one that only this list knows. */
  readonly parameter: string
  readonly part?: number
}

/** What each spelling means, for a list that lacks some parameters and has some of its own. */
export function spellingsOf(absent: ReadonlySet<ParameterName>, own: readonly string[]): ReadonlyMap<string, Spelling> {
  const meanings = new Map<string, Spelling>()
  for (const [name, { spellings, parts = [] }] of Object.entries(NOTATIONS)) {
    const parameter = name as ParameterName
    if (absent.has(parameter)) continue
    for (const spelling of spellings) meanings.set(spelling, { parameter })
    for (const [part, spelling] of parts.entries()) meanings.set(spelling, { parameter, part })
  }
  for (const parameter of own) meanings.set(parameter, { parameter })
  return meanings
}

/** What stands under one bracket: `type` in `filters[type][0]=id`. */
export interface Entry {
  readonly key: string
  /** The name up to this bracket, as it was sent. */
  readonly sent: string
  readonly value: string | Entries
}

/** Entries by key, in the order in which the keys came. */
export type Entries = Map<string, Entry>

/** One parameter as it was sent: its name without brackets, and its text or what its brackets hold. */
export interface RawParameter {
  readonly spelling: string
  readonly form: 'plain' | 'keyed' | 'appended' | 'parts'
  readonly value: string | Entries
}

const MAX_KEYS = 128 // under one bracket; more than any parameter has use for

/** What follows the `?` of a request's address. */
export function queryOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

/** The pairs of a raw query string, decoded once. */
export function* readPairs(raw: string): Generator<{ name: string; value: string }> {
  for (const pair of raw.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const rawName = equals === -1 ? pair : pair.slice(0, equals)
    const name = decode(rawName, rawName)
    yield { name, value: equals === -1 ? '' : decode(pair.slice(equals + 1), name) }
  }
}

/** Reads a raw query string. A name outside `spellings`, another notation or a second value is refused. */
export function readQuery(raw: string, spellings: ReadonlyMap<string, Spelling>): Map<string, RawParameter> {
  const given = new Map<string, RawParameter>()
  for (const { name, value } of readPairs(raw)) {
    const bracket = name.indexOf('[')
    const spelling = bracket === -1 ? name : name.slice(0, bracket)
    const meaning = spellings.get(spelling)
    if (meaning === undefined) throw unknownName(name, 'parameter', spelling, spellings.keys())
    add(given, meaning, spelling, name.slice(spelling.length), value)
  }
  return given
}

function add(
  given: Map<string, RawParameter>,
  { parameter, part }: Spelling,
  spelling: string,
  brackets: string,
  text: string,
) {
  const { depths, example } = NOTATIONS[parameter as ParameterName] ?? { depths: [0], example: `${parameter}=…` }
  const keys = readKeys(brackets)
  if (keys === undefined || !(part === undefined ? depths : [0]).includes(keys.length))
    throw invalidParameter(
      spelling,
      `${JSON.stringify(spelling + brackets)} is not a way to write ${parameter}: write ${example}.`,
    )
  const form = part !== undefined ? 'parts' : keys.length === 0 ? 'plain' : keys[0] === '' ? 'appended' : 'keyed'

  const before = given.get(parameter)
  const value = before?.value ?? (form === 'plain' ? text : new Map())
  if (before === undefined) given.set(parameter, { spelling, form, value })
  else if (form === 'plain' || before.form !== form || (form !== 'parts' && before.spelling !== spelling))
    throw givenTwice(spelling, spelling + brackets, parameter)

  if (typeof value === 'string') return
  const placed =
    part === undefined ? place(value, spelling, spelling, keys, text) : put(value, String(part), spelling, text)
  if (!placed) throw givenTwice(spelling, spelling + brackets, parameter)
}

const givenTwice = (spelling: string, sent: string, parameter: string) =>
  invalidParameter(spelling, `${sent}: ${parameter} is given twice, or in two notations at once.`)

/** The keys in `[type][0]`, of which there are at most three; undefined when anything else follows the name. */
function readKeys(brackets: string): string[] | undefined {
  if (brackets === '') return []
  if (!/^(?:\[[^[\]]*\]){1,3}$/.test(brackets)) return undefined
  return brackets.slice(1, -1).split('][')
}

/** Puts the text where the keys lead; false when that place is taken. An empty key means the next one. */
function place(entries: Entries, spelling: string, before: string, keys: readonly string[], text: string): boolean {
  const [given, ...deeper] = keys as [string, ...string[]]
  const key = given === '' ? String(entries.size) : given
  const sent = `${before}[${given}]`
  if (entries.size >= MAX_KEYS && !entries.has(key))
    throw invalidParameter(spelling, `${sent}: at most ${MAX_KEYS} keys are read here.`, { maximum: MAX_KEYS })
  if (deeper.length === 0) return put(entries, key, sent, text)
  if (!entries.has(key)) entries.set(key, { key, sent, value: new Map() })
  const { value } = entries.get(key)!
  return typeof value !== 'string' && place(value, spelling, sent, deeper, text)
}

function put(entries: Entries, key: string, sent: string, value: string): boolean {
  if (entries.has(key)) return false
  entries.set(key, { key, sent, value })
  return true
}

/** D2.1: a key may be any number or name. Numbers come first, ascending; then names, as they came. */
export function inKeyOrder(entries: Entries): Entry[] {
  const all = [...entries.values()]
  const isNumber = ({ key }: Entry) => /^\d+$/.test(key)
  return [
    ...all.filter(isNumber).sort((one, other) => Number(one.key) - Number(other.key)),
    ...all.filter((entry) => !isNumber(entry)),
  ]
}

/** What stands at the keys 0, 1, … below `count`, where a position has a meaning; undefined when there is another key. */
export function atPositions(entries: Entries, count: number): (Entry | undefined)[] | undefined {
  const positions: (Entry | undefined)[] = []
  for (const entry of entries.values()) {
    const position = '012'.indexOf(entry.key)
    if (entry.key.length !== 1 || position === -1 || position >= count) return undefined
    positions[position] = entry
  }
  return positions
}

/** The parameter that a refusal names: `date` for `date[0]`, but `date_from` for itself. */
export const nameOf = ({ form, spelling }: RawParameter, entry: Entry | undefined) =>
  form === 'parts' && entry ? entry.sent : spelling

/** A key as a refusal gives it back: a number where it is one. */
export const indexOf = ({ key }: Entry): number | string => (/^\d{1,15}$/.test(key) ? Number(key) : key)

function decode(text: string, name: string): string {
  if (/[^ -~]/.test(text)) throw invalidParameter(name, 'A query string is ASCII: percent-encode what is not.')
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalidParameter(name, 'A percent sequence is malformed or is not UTF-8.')
  }
}
