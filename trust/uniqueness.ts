import { uuidOf } from '../server/src/demo/random.ts'
import { type Crowd, crowd } from './crowd.ts'
import { ENGINES, type Engine, type Installation, install } from './installation.ts'
import type { Course, Finish } from './racer.ts'
import type { Broke, Trial } from './trial.ts'

const LANES = 8

const FIELDS = ['phone', 'code', 'cid'] as const
type Field = (typeof FIELDS)[number]

/** F21: of those who want the same phone, code or cid at once, one gets it, and the others are told which it was. */
export async function uniqueness(trial: Trial): Promise<void> {
  const racers = await crowd<Course, Finish[]>(trial, './racer.ts', trial.sizes.racers)
  for (const engine of ENGINES)
    await trial.promise(`one winner for each phone, code and cid, ${engine}`, (broke) =>
      race(trial, engine, racers, broke),
    )
}

async function race(trial: Trial, engine: Engine, racers: Crowd<Course, Finish[]>, broke: Broke): Promise<string> {
  const installation = await install(trial, engine)
  const { contested } = trial.sizes
  const courses = racers.members.map((_, racer) => course(trial, racer, contested, installation))
  const finishes = await racers.run(courses)

  const holders = await heldValues(installation)
  let [winners, retries] = [0, 0]
  for (const [racer, { bodies }] of courses.entries())
    for (const [index, body] of bodies.entries()) {
      const { status, error, field, id, retries: more } = finishes[racer]![index]!
      retries += more
      if (status === 200) {
        winners++
        for (const name of FIELDS)
          if (body[name] !== undefined && holders[name].get(body[name])?.join() !== id)
            broke(`${name} ${body[name]}: won by ${id}, held by ${holders[name].get(body[name])}`)
      } else if (
        status !== 409 ||
        error !== `duplicate_${field}` ||
        !holders[field as Field].has(body[field as Field]!)
      )
        broke(`${JSON.stringify(body)}: ${status} ${error} ${field}`)
    }
  for (const name of FIELDS)
    for (const [value, ids] of holders[name]) if (ids.length !== 1) broke(`${name} ${value}: held by ${ids.join()}`)
  for (let value = 0; value < contested; value++)
    for (const name of FIELDS)
      if (!holders[name].has(contestedValue(name, `plain ${value}`))) broke(`${name} plain ${value}: nobody won it`)
  const attempts = courses.length * courses[0]!.bodies.length
  return `${attempts} attempts by ${courses.length} processes, ${winners} winners, ${retries} told to try again`
}

/** Each process asks for every value alone, and for pairs of values crossed differently than in the others, in an order of its own. */
function course(trial: Trial, racer: number, contested: number, { env, credentials }: Installation): Course {
  const random = trial.random(`racer ${racer}`)
  const bodies: Course['bodies'] = []
  for (let value = 0; value < contested; value++) {
    for (const field of FIELDS) bodies.push({ name: 'Plain', [field]: contestedValue(field, `plain ${value}`) })
    const near = () => `crossed ${Math.min(contested - 1, value + random.between(0, 2))}`
    bodies.push({
      name: 'Crossed',
      phone: contestedValue('phone', near()),
      code: contestedValue('code', near()),
      cid: contestedValue('cid', near()),
    })
  }
  return { env, credentials, bodies, lanes: LANES }
}

const contestedValue = (field: Field, name: string) => (field === 'cid' ? uuidOf(name, 0) : name)

async function heldValues({ db, brand_id }: Installation): Promise<Record<Field, Map<string, string[]>>> {
  const rows = await db.rows<{ id: string } & Record<Field, string | null>>(
    `select id, phone, code, cid from customers where brand_id = ?`,
    [brand_id],
  )
  const held = { phone: new Map(), code: new Map(), cid: new Map() } as Record<Field, Map<string, string[]>>
  for (const row of rows)
    for (const name of FIELDS) {
      const value = row[name]
      if (value !== null) held[name].set(value, [...(held[name].get(value) ?? []), row.id])
    }
  return held
}
