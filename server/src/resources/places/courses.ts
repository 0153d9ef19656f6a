import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { Name, Status } from '../../resource/values.ts'

/** T5: courses are served in the order of their ids. */
export const CourseId = (description = 'A course') => Type.Integer({ minimum: 1, maximum: 9, description })

export const Course = Type.Object(
  { id: CourseId('1 to 9: courses are served in this order'), name: Name(), status: Status() },
  { $id: 'Course' },
)
export type Course = Static<typeof Course>

export const courses = defineResource({
  name: { one: 'course', many: 'courses' },
  permission: 'venues:read',
  tag: 'Menu',
  about: 'What guests at tables are served after each other, such as starters, mains and desserts.',
  wire: Course,
  scope: 'brand',
  columns: { id: 'integer', name: 'text', status: 'integer' },
  list: {},
  api: { list: {} },
  edit: { permission: 'settings:write', members: ['name', 'status'] },
})
