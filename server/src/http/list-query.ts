import { invalidParameter } from './errors.ts'
import { unknownName } from './list-nearest.ts'

/** The seven parameters of a list (D2.1), by the name the documentation uses. */
export type ParameterName = 'page' | 'limit' | 'filters' | 'fields' | 'include' | 'sort' | 'date'

interface Notation {
  /** Names that mean this parameter, ours first. */
  readonly spellings: readonly string[]
  /** How many brackets may follow the name. */
  readonly depths: readonly number[]
  /** Whether `name[]` may be repeated. */
  readonly repeats?: true
  readonly example: string
}

/** Every way a list parameter may be written (D2.1, D2.3, D2.7, D2.8). Nothing else is read. */
export const NOTATIONS: Readonly<Record<ParameterName, Notation>> = {
  page: { spellings: ['page'], depths: [0], example: 'page=2' },
  limit: { spellings: ['limit', 'per_page', 'page_size'], depths: [0], example: 'limit=50' },
  filters: { spellings: ['filters', 'filter'], depths: [0, 2, 3], example: 'filters=[["id",">",10]]' },
  fields: { spellings: ['fields', 'selects'], depths: [0, 1], repeats: true, example: 'fields=id,name' },
  include: { spellings: ['include', 'with'], depths: [0, 1], repeats: true, example: 'include=prices' },
  sort: { spellings: ['sort'], depths: [1, 2], example: 'sort[0][0]=name&sort[0][1]=asc' },
  date: { spellings: ['date'], depths: [1], example: 'date[0]=2026-01-01&date[1]=2026-01-31' },
}

/** Which parameter each spelling means, for a list that lacks some. */
export function spellingsWithout(absent: ReadonlySet<ParameterName>): ReadonlyMap<string, ParameterName> {
  const parameters = (Object.keys(NOTATIONS) as ParameterName[]).filter((parameter) => !absent.has(parameter))
  return new Map(
    parameters.flatMap((parameter) => NOTATIONS[parameter].spellings.map((spelling) => [spelling, parameter])),
  )
}

/** What brackets spell: `sort[0][0]=name&sort[0][1]=asc` is `[['name', 'asc']]`. An index that was not given is a hole. */
export type Tree = (string | Tree)[]

/** One parameter as it was sent: its name without brackets, and its text or what its brackets spelled. */
export interface Given {
  readonly spelling: string
  readonly form: 'plain' | 'indexed' | 'repeated'
  readonly value: string | Tree
}

/** What follows the `?` of a request's address. */
export function queryOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

/** Reads a raw query string, decoding once. A name outside `spellings`, another notation or a second value is refused. */
export function readQuery(raw: string, spellings: ReadonlyMap<string, ParameterName>): Map<ParameterName, Given> {
  const given = new Map<ParameterName, Given>()
  for (const pair of raw.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const rawName = equals === -1 ? pair : pair.slice(0, equals)
    const name = decode(rawName, rawName)
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1), name)

    const bracket = name.indexOf('[')
    const spelling = bracket === -1 ? name : name.slice(0, bracket)
    const parameter = spellings.get(spelling)
    if (parameter === undefined) throw unknownName(name, 'parameter', spelling, spellings.keys())

    add(given, parameter, spelling, bracket === -1 ? '' : name.slice(bracket), value)
  }
  return given
}

function add(
  given: Map<ParameterName, Given>,
  parameter: ParameterName,
  spelling: string,
  brackets: string,
  text: string,
) {
  const { depths, repeats, example } = NOTATIONS[parameter]
  const form = brackets === '' ? 'plain' : brackets === '[]' ? 'repeated' : 'indexed'
  const indices = form === 'indexed' ? readIndices(brackets) : []
  if (form === 'repeated' ? !repeats : indices === undefined || !depths.includes(indices.length))
    throw invalidParameter(
      spelling,
      `${JSON.stringify(spelling + brackets)} is not a way to write ${parameter}: write ${example}.`,
    )

  const before = given.get(parameter)
  const value = before?.value ?? (form === 'plain' ? text : [])
  if (before === undefined) given.set(parameter, { spelling, form, value })
  else if (form === 'plain' || before.form !== form || before.spelling !== spelling)
    throw givenTwice(spelling, parameter)

  if (typeof value === 'string') return
  if (form === 'repeated') value.push(text)
  else if (!place(value, indices!, text)) throw givenTwice(spelling, parameter)
}

const givenTwice = (spelling: string, parameter: ParameterName) =>
  invalidParameter(spelling, `${parameter} is given twice, or in two notations at once.`)

/** The numbers in `[0][1]`: at most three, each below 100. Anything else between or after the brackets is no index. */
function readIndices(brackets: string): number[] | undefined {
  if (!/^(?:\[(?:0|[1-9]\d?)\]){1,3}$/.test(brackets)) return undefined
  return brackets.slice(1, -1).split('][').map(Number)
}

/** Puts the text where the indices lead; false when that place is taken. */
function place(tree: Tree, indices: readonly number[], text: string): boolean {
  const [index, ...deeper] = indices as [number, ...number[]]
  if (deeper.length === 0) {
    if (tree[index] !== undefined) return false
    tree[index] = text
    return true
  }
  tree[index] ??= []
  const branch = tree[index]
  return typeof branch !== 'string' && place(branch, deeper, text)
}

function decode(text: string, name: string): string {
  if (/[^ -~]/.test(text)) throw invalidParameter(name, 'A query string is ASCII: percent-encode what is not.')
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalidParameter(name, 'A percent sequence is malformed or is not UTF-8.')
  }
}
