import './english.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EditField, EditForm } from '../../server/src/back-office/schema.ts'
import { startOf } from '../src/forms/members.ts'

const field = (name: string, schema: EditField['schema'], more: Partial<EditField> = {}): EditField => ({
  name,
  schema,
  required: false,
  only_new: false,
  options: null,
  ...more,
})

const form = (...fields: EditField[]): EditForm => ({
  resource: 'things',
  one: 'thing',
  scope: 'brand',
  permission: 'settings:write',
  single: false,
  reviewed: [],
  is_shared: false,
  removable: false,
  series: false,
  fields,
  start: { values: {}, names: {} },
})

test('what is new is active, whether its status is a number or yes and no', () => {
  assert.deepEqual(startOf(form(field('status', { type: 'boolean' }))), { status: true })
  assert.deepEqual(startOf(form(field('status', { enum: [1, 0] }))), { status: 1 })
})
