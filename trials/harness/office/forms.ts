import type { Resource } from '../../../server/src/resource/resource.ts'
import { RESOURCES } from '../../../server/src/resources/catalogue.ts'
import { exampleRow } from '../../../server/test/example-rows.ts'
import type { Route } from '../in-process.ts'
import { API } from './back-office.ts'

const FORM = new RegExp(`^${API}/edit/([\\w-]+)(/:id)?$`)

/** The row that forms show and change; each also makes new ones. */
export const FORM_ROW = 2

/** What a form sends, with the marker in its texts; undefined: the route is no form. */
export function formBody({ method, url }: Route, marker: string): Record<string, unknown> | undefined {
  const many = method === 'GET' ? undefined : FORM.exec(url)?.[1]
  const resource = RESOURCES.find(({ name }) => name.many === many)
  return resource && valuesOf(resource, method === 'POST', marker)
}

function valuesOf(resource: Resource, isNew: boolean, marker: string): Record<string, unknown> {
  const { members, onlyNew } = resource.edit! as { members: readonly string[]; onlyNew: readonly string[] }
  const row = exampleRow(resource, isNew ? 1 : FORM_ROW, marker)
  const taken = Object.entries(row).filter(([name]) => members.includes(name) && (isNew || !onlyNew.includes(name)))
  const isOn = resource.kind === 'finance_category' && { status: 1 } // the service books under it
  return { ...Object.fromEntries(taken), ...isOn }
}
