import { VisuallyHidden } from '@mantine/core'
import type { EditForm, Forms } from '../../../server/src/back-office/schema.ts'
import type { Changed } from '../../../server/src/resource/edit.ts'
import { formTexts } from '../texts/office/forms.ts'
import { kindOf, type Names } from './members.ts'
import { labelOf, shownValue } from './values.ts'

/** Members and what they change from and to. */
export function Changes({
  form,
  changes,
  names,
  venues,
}: {
  form: EditForm
  changes: readonly Changed[]
  names: Names
  venues: Forms['venues']
}) {
  const venueNames = Object.fromEntries(venues.map(({ id, name }) => [id, name]))
  return (
    <dl className="changes">
      {changes.map(({ member, from, to }) => {
        const field = form.fields.find(({ name }) => name === member)!
        const written = (value: unknown) => shownValue(form, field, value, names, venueNames)
        const [gone, added] = kindOf(field) === 'permissions' ? difference(from, to) : []
        return (
          <div key={member}>
            <dt>{labelOf(form, member)}</dt>
            <dd className="change">
              {added ? (
                <>
                  {gone!.length > 0 && (
                    <span>
                      {formTexts.noLonger} <del>{written(gone)}</del>
                    </span>
                  )}
                  {added.length > 0 && (
                    <span>
                      {formTexts.newly} <ins>{written(added)}</ins>
                    </span>
                  )}
                </>
              ) : (
                <>
                  {from !== undefined && (
                    <>
                      <VisuallyHidden>{formTexts.from} </VisuallyHidden>
                      <del>{written(from)}</del> <span aria-hidden>→ </span>
                      <VisuallyHidden>{formTexts.to} </VisuallyHidden>
                    </>
                  )}
                  <ins>{written(to)}</ins>
                </>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** What is in one list and not in the other: what goes, and what comes. */
function difference(from: unknown, to: unknown): [unknown[], unknown[]] {
  const [before, after] = [from, to].map((list) => new Set((list ?? []) as unknown[])) as [Set<unknown>, Set<unknown>]
  return [[...before.difference(after)], [...after.difference(before)]]
}
