import { uuidOf } from '../../server/src/demo/random.ts'
import { ENGINES, type Engine, type Installation, install } from '../harness/installation.ts'
import { type ProcessPool, startProcessPool } from '../harness/process-pool.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import type { Course, Finish } from './racer.ts'

const LANES = 8

const FIELDS = ['phone', 'code', 'cid'] as const
type Field = (typeof FIELDS)[number]

// Each process writes the phones in a way of its own (D4.1): what is unique is the phone, not how it is written.
const FORMATS: readonly ((name: string, number: number) => string)[] = [
  (name, number) => `${name} ${number}`,
  (name, number) => `${name}-${number}`,
  (name, number) => `(${name}) ${number}`,
  (name, number) => `${name}${number}`,
  (name, number) => `${name}.${number}`,
  (name, number) => ` ${name} / ${number}`,
  (name, number) => `${name}\u2011${number}`, // a hyphen that does not break
  (name, number) => `${name}\u00a0${number}`, // a space that does not
]

/** The form of a value that comparisons use. */
const keyOf = (field: Field, value: string) => (field === 'phone' ? value.replaceAll(/[^a-z0-9]/g, '') : value)

/** Concurrent writers of the same phone, code or cid: one gets it, and the others learn which field was taken. */
export async function uniqueness(trial: Trial): Promise<void> {
  const racers = await startProcessPool<Course, Finish[]>(
    trial,
    new URL('./racer.ts', import.meta.url),
    trial.sizes.racers,
  )
  for (const engine of ENGINES)
    await trial.promise(`one winner for each phone, code and cid, ${engine}`, (reportFailure) =>
      race(trial, engine, racers, reportFailure),
    )
}

async function race(
  trial: Trial,
  engine: Engine,
  racers: ProcessPool<Course, Finish[]>,
  reportFailure: ReportFailure,
): Promise<string> {
  const installation = await install(trial, engine)
  const courses = racers.members.map((_, racer) => course(trial, racer, installation))
  const finishes = await racers.run(courses)

  const holders = await heldValues(installation)
  const holdersOf = (name: Field, value: string) => holders[name].get(keyOf(name, value))
  let [winners, retries] = [0, 0]
  for (const [racer, { bodies }] of courses.entries())
    for (const [index, body] of bodies.entries()) {
      const { status, error, field, id, retries: more } = finishes[racer]![index]!
      retries += more
      if (status === 200) {
        winners++
        for (const name of FIELDS)
          if (body[name] !== undefined && holdersOf(name, body[name])?.join() !== id)
            reportFailure(`${name} ${body[name]}: won by ${id}, held by ${holdersOf(name, body[name])}`)
      } else if (status !== 409 || error !== `duplicate_${field}` || !holdersOf(field as Field, body[field as Field]!))
        reportFailure(`${JSON.stringify(body)}: ${status} ${error} ${field}`)
    }
  for (const name of FIELDS)
    for (const [value, ids] of holders[name])
      if (ids.length !== 1) reportFailure(`${name} ${value}: held by ${ids.join()}`)
  for (let number = 0; number < trial.sizes.contested; number++)
    for (const name of FIELDS)
      if (!holdersOf(name, contestedValue(name, 'plain', number)))
        reportFailure(`${name} plain ${number}: nobody won it`)
  const attempts = courses.length * courses[0]!.bodies.length
  return `${attempts} attempts by ${courses.length} processes, ${winners} winners, ${retries} told to try again`
}

/** Each process asks for every value alone, and for pairs of values crossed differently than in the others, in an order of its own. */
function course(trial: Trial, racer: number, { env, credentials }: Installation): Course {
  const random = trial.random(`racer ${racer}`)
  const { contested } = trial.sizes
  const bodies: Course['bodies'] = []
  for (let number = 0; number < contested; number++) {
    for (const field of FIELDS) bodies.push({ name: 'Plain', [field]: contestedValue(field, 'plain', number, racer) })
    const near = () => Math.min(contested - 1, number + random.between(0, 2))
    bodies.push({
      name: 'Crossed',
      phone: contestedValue('phone', 'crossed', near(), racer),
      code: contestedValue('code', 'crossed', near()),
      cid: contestedValue('cid', 'crossed', near()),
    })
  }
  return { env, credentials, bodies, lanes: LANES }
}

function contestedValue(field: Field, name: string, number: number, racer = 0): string {
  if (field === 'phone') return FORMATS[racer % FORMATS.length]!(name, number)
  return field === 'cid' ? uuidOf(`${name} ${number}`, 0) : `${name} ${number}`
}

async function heldValues({ db, brand_id }: Installation): Promise<Record<Field, Map<string, string[]>>> {
  const rows = await db.rows<{ id: string } & Record<Field, string | null>>(
    `select id, phone, code, cid from customers where brand_id = ?`,
    [brand_id],
  )
  const held = { phone: new Map(), code: new Map(), cid: new Map() } as Record<Field, Map<string, string[]>>
  for (const row of rows)
    for (const name of FIELDS) {
      if (row[name] === null) continue
      const key = keyOf(name, row[name])
      held[name].set(key, [...(held[name].get(key) ?? []), row.id])
    }
  return held
}
