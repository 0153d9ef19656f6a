import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { may } from '../../auth/permissions.ts'
import { lockDirectory } from '../../directory/audit.ts'
import { type BrandTerms, changeTerms, findTerms, ORDER_PRICES, TermRejected } from '../../directory/brand-terms.ts'
import type { StaffUser } from '../../http/call.ts'
import { asJson, one } from '../../http/envelope.ts'
import { validationFailed, venueForbidden, versionMismatch } from '../../http/errors.ts'
import type { EditedRow } from '../../resource/edit.ts'
import { Decimal, Name } from '../../resource/values.ts'
import type { Queries } from '../../storage/database.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { closed, type EditForm, type MemberSchema } from '../schema.ts'

// The settings of the brand as a form, like those of rows: a brand is no row of its own, so it has no id in the path.

const BrandSettings = Type.Object(
  {
    name: Name(),
    currency: Type.String({ maxLength: 3 }),
    money_places: Type.Integer({ minimum: 0 }),
    languages: Type.Array(Type.String({ maxLength: 35 })),
    order_prices: Type.Enum([...ORDER_PRICES]),
    cashback_percent: Decimal(),
    books_check: Type.String({ maxLength: 5 }),
    contact_days: Type.Integer({ minimum: 1 }),
    request_log_days: Type.Integer({ minimum: 1 }),
  } satisfies Record<keyof BrandTerms, Type.TSchema>,
  closed,
)

const PERMISSION = 'settings:write'

/** Settings of the whole brand are for those who may enter all of it. */
export const mayFormBrand = (user: StaffUser) => may(user.permissions, PERMISSION) && user.venues === undefined

export const BRAND_FORM: EditForm = {
  resource: 'brand',
  one: 'brand',
  scope: 'brand',
  permission: PERMISSION,
  single: true,
  reviewed: ['currency', 'money_places'],
  is_shared: true,
  removable: false,
  series: false,
  fields: Object.entries(BrandSettings.properties).map(([name, schema]) => ({
    name,
    schema: schema as MemberSchema,
    required: true,
    only_new: false,
    options: null,
  })),
  start: { values: {}, names: {} },
}

/** What was sold has been counted by them: they stay (P8). */
const UNTIL_SOLD: readonly string[] = ['currency', 'money_places']

interface Settings extends EditedRow {
  readonly members: readonly string[]
  readonly names: object
}

async function findSettings(db: Queries, brand_id: number): Promise<Settings> {
  const values = await findTerms(db, brand_id)
  const [sold] = await db.rows('select 1 as one from receipts where brand_id = ? limit 1', [brand_id])
  return {
    id: 1,
    values: { ...values },
    version: createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 22),
    members: Object.keys(BrandSettings.properties).filter((name) => !sold || !UNTIL_SOLD.includes(name)),
    names: {},
  }
}

export function serveBrandForm(app: FastifyInstance, { db, command, followChange }: BackOfficeDeps): void {
  app.get('/brand', { config: { permission: PERMISSION } }, async (request, reply) => {
    const { brand_id, user } = request.call.caller
    if (!mayFormBrand(user)) throw venueForbidden()
    return asJson(reply, one(JSON.stringify(await findSettings(db, brand_id))))
  })

  command(app, {
    method: 'PATCH',
    url: '/brand',
    permission: PERMISSION,
    events: ['brand.updated'],
    body: Type.Partial(BrandSettings, closed),
    versioned: 'if-match',
    message: 'Changed.',
    committed: followChange,
    async run({ tx, brand_id, actor, caller: { user, brand: slug } }, { body, ifMatch }) {
      if (!mayFormBrand(user)) throw venueForbidden()
      await lockDirectory(tx)
      const before = await findSettings(tx, brand_id)
      if (ifMatch && !ifMatch.includes(before.version)) throw versionMismatch(before.version)
      refuseFixed(body, before)
      await changeTerms(tx, actor, { id: brand_id, slug }, body).catch(atItsField)
      const after = await findSettings(tx, brand_id)
      const changed = Object.keys(after.values).flatMap((member) => {
        const [from, to] = [before.values[member], after.values[member]]
        return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ member, from, to }]
      })
      return {
        data: JSON.stringify({ ...after, changed }),
        ...(changed.length === 0 && { message: 'Nothing changed.' }),
      }
    },
  })
}

function refuseFixed(body: Partial<Static<typeof BrandSettings>>, { members, values }: Settings): void {
  const [first, ...others] = Object.entries(body)
    .filter(([name, value]) => !members.includes(name) && value !== values[name])
    .map(([field]) => ({
      field,
      rule: 'fixed',
      message: `${field} cannot be changed: the brand has sold something already.`,
    }))
  if (first) throw validationFailed([first, ...others])
}

function atItsField(error: unknown): never {
  if (!(error instanceof TermRejected)) throw error
  throw validationFailed([{ field: error.member, rule: 'refused', message: `${error.message}.` }])
}
