import Type, { type Static } from 'typebox'
import type { ListRequest } from '../../lists/list.ts'
import { defineResource } from '../../resource/define.ts'
import { type Owner, type Reader, readPage } from '../../resource/read/page.ts'
import type { Resource } from '../../resource/resource.ts'
import { DateTime, Id, Maybe, Name, Status } from '../../resource/values.ts'
import { depthsOf, faultIn } from '../../resource/write/tree.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import type { Transaction } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { CourseId } from '../places/courses.ts'

export const Category = Type.Object(
  {
    id: Id(),
    name: Name(),
    type: Type.Enum(['PRODUCT', 'INGREDIENT']),
    status: Status(),
    hidden: Type.Boolean(),
    position: Maybe(Type.Integer()),
    parent_id: Maybe(Id()),
    depth: Type.Integer({ description: 'Levels above it: 0 at the top' }),
    color: Maybe(Name(32)),
    course: Maybe(CourseId('The course in which its products are served at tables')),
    created_at: Maybe(DateTime()),
    updated_at: Maybe(DateTime()),
    children: Maybe(
      Type.Unsafe<unknown[]>({
        type: 'array',
        items: { $ref: '#/components/schemas/Category' },
        description: 'The whole subtree; absent with include_children=false',
      }),
    ),
  },
  { $id: 'Category' },
)
export type Category = Omit<Static<typeof Category>, 'children'> & { children?: Category[] }

/** One imported line. The parent may come later in the file. */
export const CategoryRow = Type.Object({
  ...Type.Omit(Category, ['depth', 'children']).properties,
  hidden: Maybe(Type.Boolean()),
})
export type CategoryRow = Static<typeof CategoryRow>

export const categories: Resource<CategoryRow> = defineResource({
  name: { one: 'category', many: 'categories' },
  tag: 'Menu',
  about:
    'The tree that the menu and the ingredients are ordered by. The list has the top level, each category with its whole subtree; with ' +
    'include_children=false all of them, one beside the other.',
  wire: Category,
  line: CategoryRow,
  row: Type.Omit(Category, ['children']),
  scope: 'brand',
  columns: {
    id: 'integer',
    name: 'text',
    type: 'key',
    status: 'integer',
    position: 'integer',
    parent_id: 'integer',
    depth: 'integer',
    created_at: 'instant',
    updated_at: 'instant',
  },
  stamped: ['created_at', 'updated_at'],
  laterReferences: ({ parent_id, course }) => [
    { member: 'parent_id', table: 'categories', id: parent_id },
    { member: 'course', table: 'courses', id: course },
  ],
  exportText: `replace(body, '"depth":' || depth || ',', '')`,
  list: {
    maxLimit: 999,
    parameters: {
      parent_id: { description: 'Only those directly below this one.' },
      type: { description: 'Only those of this type: PRODUCT or INGREDIENT.' },
      include_children: {
        type: 'boolean',
        preset: 1,
        onOne: true,
        description: 'Whether each comes with its whole subtree, and the list begins at the top level.',
      },
      include_inactive: {
        type: 'boolean',
        preset: 0,
        onOne: true,
        description: 'Whether inactive ones come too, also in subtrees.',
      },
    },
    read: listCategories,
    compose: withChildren,
    shown: { query: { include_children: 'false', include_inactive: 'true' } },
  },
  api: { list: {}, get: {} },
  edit: {
    permission: 'menu:write',
    members: ['name', 'type', 'parent_id', 'position', 'color', 'course', 'hidden', 'status'],
    onlyNew: ['type'],
    pointers: { parent_id: 'categories', course: 'courses' },
  },
  async write(context, rows, writer) {
    const depths = await depthsOf(context, 'categories', rows)
    const bodies = await writer.put(
      context,
      rows.map((row) => ({ ...row, hidden: row.hidden ?? false, depth: depths.get(row.id) ?? 0 })),
    )
    if (context.mode === 'import') keepDated(context, rows)
    else await updateDepths(context)
    return bodies
  },
  checkAfterImport: updateDepths,
})

function listCategories(db: Reader, owner: Owner, list: ListRequest) {
  const { named, own, where } = list
  const top = own.include_children === 1 && !named.has('parent_id') ? ' and parent_id is null' : ''
  const active = own.include_inactive === 0 && !named.has('status') ? ' and status = 1' : ''
  return readPage(db, categories, owner, { ...list, where: { ...where, text: where.text + top + active } })
}

interface Below {
  id: number
  parent_id: number
  body: string
}

/** The texts with their subtrees, children by position and then by id. */
async function withChildren(
  db: Reader,
  { brand_id }: Owner,
  bodies: readonly string[],
  own: ListRequest['own'],
): Promise<string[]> {
  if (own.include_children !== 1 || bodies.length === 0) return [...bodies]
  const ids = bodies.map((body) => (JSON.parse(body) as { id: number }).id)
  const active = own.include_inactive === 1 ? '' : ' and status = 1'
  const text = `with recursive tree (id) as (
       select id from categories where brand_id = ? and parent_id in ${places(ids)}${active}
       union select categories.id from categories join tree on categories.parent_id = tree.id
         where categories.brand_id = ?${active.replace('status', 'categories.status')})
     select id, parent_id, body from categories where brand_id = ? and id in (select id from tree)${db.scan ? db.dialect.checkpoint : ''}
     order by coalesce(position, 9007199254740991), id`
  const values = [brand_id, ...ids, brand_id, brand_id]
  const below = await (db.scan ? db.scan<Below>(brand_id, 'categories', text, values) : db.rows<Below>(text, values))
  const byParent = Map.groupBy(below, ({ parent_id }) => parent_id)
  const whole = (id: number, body: string): string => {
    const children = (byParent.get(id) ?? []).map((child) => whole(child.id, child.body))
    return `${body.slice(0, -1)},"children":[${children.join(',')}]}`
  }
  return bodies.map((body, index) => whole(ids[index]!, body))
}

/** What lines of an import said of their rows' time, which stays: by import, the ids of such rows. */
const dated = new WeakMap<Transaction, Set<number>>()

function keepDated({ tx }: WriteContext, rows: readonly CategoryRow[]): void {
  const ids = dated.get(tx) ?? new Set()
  for (const { id, updated_at } of rows) if (updated_at !== undefined) ids.add(id)
  dated.set(tx, ids)
}

/** Parents may come after their children, and a moved category takes its subtree along: depths are set when all are in. */
async function updateDepths(context: WriteContext): Promise<string | undefined> {
  const { tx, brand_id } = context
  const depths = await depthsOf(context, 'categories')
  const rows = await tx.rows<{ id: number; depth: number; body: string }>(
    'select id, depth, body from categories where brand_id = ?',
    [brand_id],
  )
  const fault = faultIn(depths, 'category')
  if (fault) return fault
  const moved = rows
    .filter(({ id, depth }) => depths.get(id) !== depth)
    .map(({ body }) => {
      const { depth: _, updated_at, ...row } = JSON.parse(body) as CategoryRow & { depth: number }
      return dated.get(tx)?.has(row.id) ? { ...row, updated_at } : row
    })
  if (moved.length > 0) await categories.write(context, moved as CategoryRow[])
  return undefined
}
