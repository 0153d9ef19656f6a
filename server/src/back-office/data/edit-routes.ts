import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { enterVenue } from '../../auth/authenticate.ts'
import { authorize, may, mayEnter } from '../../auth/permissions.ts'
import type { Caller } from '../../http/call.ts'
import { asJson, One, one } from '../../http/envelope.ts'
import { asHook, sequence } from '../../http/rules.ts'
import { changeRow, createRow, createSeries, findEdited, findStart, removeRow } from '../../resource/edit.ts'
import type { Resource } from '../../resource/resource.ts'
import { PathId } from '../../resource/values.ts'
import type { Database } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { fold } from '../../values/fold.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { actAsStaff, staffOf } from '../guard.ts'
import { closed, type EditForm, Forms, type MemberSchema } from '../schema.ts'
import { BRAND_FORM, mayFormBrand, serveBrandForm } from './brand-form.ts'

/**
 * What staff change by hand: each resource that says so in its definition has a form, with the permission that it names. Rows of a
 * venue are those of x-venue, else of the person's main venue.
 */
export const editRoutes: FastifyPluginAsync<BackOfficeDeps> = async (app, deps) => {
  const forms = deps.resources.filter(({ edit }) => edit).map((resource) => ({ resource, form: formOf(resource) }))

  app.get('/', { schema: { response: { 200: One(Forms) } } }, async (request) => {
    const { brand, user } = staffOf(request)
    const rows = await deps.db.rows<{ id: number; name: string }>(
      'select id, name from venues where brand_id = ? order by is_main desc, id',
      [brand.id],
    )
    const venues = rows.filter(({ id }) => mayEnter(user, id))
    const allowed = forms.filter(({ form }) => may(user.permissions, form.permission))
    const started = allowed.map(async ({ resource, form }) => ({
      ...form,
      is_shared: form.is_shared && rows.length > 1,
      start: await findStart(deps.db, resource, { brand_id: brand.id, user }),
    }))
    const brands = mayFormBrand(user) ? [{ ...BRAND_FORM, is_shared: rows.length > 1 }] : []
    return { success: true, data: { forms: [...brands, ...(await Promise.all(started))], venues } }
  })

  app.register(async (scope) => {
    scope.addHook('onRequest', asHook(sequence(actAsStaff, enterVenue, authorize)))
    serveBrandForm(scope, deps)
    for (const resource of deps.resources) if (resource.edit) serveForm(scope, resource, deps)
  })
}

/** What numbered rows are called and have: `T` from 1 to 20. */
const Series = Type.Object(
  {
    name: Type.String({ maxLength: 64 }),
    from: Type.Integer({ minimum: 1 }),
    to: Type.Integer({ minimum: 1 }),
    values: Type.Record(Type.String(), Type.Unknown()),
  },
  closed,
)

const IDS: MemberSchema = { type: 'array', items: { type: 'integer' } }

/** What a page needs to know to show the form of a resource. */
const formOf = ({ name, scope, line, edit }: Resource): Omit<EditForm, 'start'> => ({
  resource: name.many,
  one: name.one,
  scope: scope === 'venue' ? 'venue' : 'brand',
  permission: edit!.permission,
  single: false,
  reviewed: [...edit!.reviewed],
  is_shared: edit!.isShared,
  removable: edit!.removable,
  series: edit!.series,
  fields: edit!.members.map((member) => {
    const { schema, isNullable } = withoutNull(line.properties[member] as MemberSchema)
    return {
      name: member,
      schema: member in edit!.copies ? IDS : schema,
      required: !isNullable && ((line.required as readonly string[] | undefined)?.includes(member) ?? false),
      only_new: edit!.onlyNew.includes(member),
      options: edit!.pointers[member] ?? null,
    }
  }),
})

function withoutNull(schema: MemberSchema): { schema: MemberSchema; isNullable: boolean } {
  const other = schema.anyOf?.find(({ type }) => type !== 'null')
  return other ? { schema: other, isNullable: true } : { schema, isNullable: false }
}

function serveForm(app: FastifyInstance, resource: Resource, deps: BackOfficeDeps): void {
  const { db, command, followChange, searches } = deps
  const { permission } = resource.edit!
  const events = resource.eventTypes
  const many = resource.name.many
  const refuse = deps.refuseSaved[many]
  const schema = { params: Type.Object({ id: PathId() }) }

  app.get(`/${many}/:id`, { config: { permission }, schema }, async (request, reply) => {
    const row = await findEdited(db, resource, request.call.caller, idOf(request))
    return asJson(reply, one(JSON.stringify(row)))
  })

  for (const [member, pointed] of Object.entries(resource.edit!.pointers))
    app.get(
      `/${many}/options/${member}`,
      {
        config: { permission },
        onRequest: searches.start,
        schema: { querystring: Type.Object({ search: Type.Optional(Type.String({ maxLength: 100 })) }) },
      },
      async (request) => {
        const { search = '' } = request.query as { search?: string }
        const target = deps.resources.find(({ name }) => name.many === pointed)!
        return { success: true, data: await listOptions(db, target, request.call.caller, search) }
      },
    )

  const write = { permission, events, committed: followChange }
  command(app, {
    ...write,
    method: 'POST',
    url: `/${many}`,
    body: Type.Unknown(),
    message: 'Created.',
    run: async (context, { body }) => JSON.stringify(await createRow(context, resource, body, refuse)),
  })
  if (resource.edit!.series)
    command(app, {
      ...write,
      method: 'POST',
      url: `/${many}/series`,
      body: Series,
      message: 'Created.',
      run: async (context, { body }) => JSON.stringify(await createSeries(context, resource, body)),
    })
  command(app, {
    ...write,
    method: 'PATCH',
    url: `/${many}/:id`,
    body: Type.Unknown(),
    ...schema,
    versioned: 'if-match',
    message: 'Changed.',
    async run(context, { params, body, ifMatch }) {
      const row = await changeRow(context, resource, params.id, body, ifMatch, refuse)
      return { data: JSON.stringify(row), ...(row.changed.length === 0 && { message: 'Nothing changed.' }) }
    },
  })
  if (resource.edit!.removable)
    command(app, {
      ...write,
      method: 'DELETE',
      url: `/${many}/:id`,
      ...schema,
      versioned: 'if-match',
      message: 'Removed.',
      run: async (context, { params, ifMatch }) =>
        JSON.stringify(await removeRow(context, resource, params.id, ifMatch)),
    })
}

const idOf = ({ params }: FastifyRequest) => (params as { id: number }).id // as its schema read it

const MAX_OPTIONS = 50

/** Rows that a member can point at, by their names; of the venues those that the person may enter. */
function listOptions(
  db: Database,
  { table, scope, columns }: Resource,
  { brand_id, venue_id, user }: Pick<Caller, 'brand_id' | 'venue_id' | 'user'>,
  search: string,
): Promise<{ id: number; name: string }[]> {
  const folded = columns.name === 'text' ? 'name_folded' : 'lower(name)'
  const inVenue = scope === 'venue'
  const venues = table === 'venues' && user.venues ? [...user.venues, 0] : undefined
  return db.scan(
    brand_id,
    table,
    `select id, name from ${table} where brand_id = ?${inVenue ? ' and venue_id = ?' : ''} and instr(${folded}, ?) > 0
     ${venues ? `and id in ${places(venues)}` : ''} ${db.dialect.checkpoint} order by ${folded}, id limit ${MAX_OPTIONS}`,
    [brand_id, ...(inVenue ? [venue_id] : []), fold(search.trim()), ...(venues ?? [])],
  )
}
