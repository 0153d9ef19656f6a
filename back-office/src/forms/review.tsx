import { VisuallyHidden } from '@mantine/core'
import type { EditForm, Forms } from '../../../server/src/back-office/schema.ts'
import type { Changed } from '../../../server/src/resource/edit.ts'
import { texts } from '../texts/texts.ts'
import { labelOf, type Names, shownValue } from './values.ts'

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
        const written = (value: unknown) => shownValue(field, value, names, venueNames)
        return (
          <div key={member}>
            <dt>{labelOf(form, member)}</dt>
            <dd className="change">
              {from !== undefined && (
                <>
                  <VisuallyHidden>{texts.forms.from} </VisuallyHidden>
                  <del>{written(from)}</del> <span aria-hidden>→ </span>
                  <VisuallyHidden>{texts.forms.to} </VisuallyHidden>
                </>
              )}
              <ins>{written(to)}</ins>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
