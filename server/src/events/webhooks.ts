import Type from 'typebox'
import { EVENT_TYPES, type EventType } from './catalogue.ts'
import { eventId } from './event-id.ts'
import { dataSchema, Event } from './schema.ts'

/** The `data` of every type, by its name: what generated clients make their union of. */
export const EventData = Type.Object(
  Object.fromEntries(EVENT_TYPES.map(({ type, data }) => [type, dataSchema(type, data.id)])),
  { $id: 'EventData' },
)

/** The `webhooks` of the description (OpenAPI 3.1): each type of event, with an example. Its shape is the same wherever it is sent. */
export const eventWebhooks = () => Object.fromEntries(EVENT_TYPES.map((each) => [each.type, webhookOf(each)]))

const AT = '2026-03-14T19:30:00.000Z'
const POSITION = 1234
const NONCE = 0x9d_aef3_71_0a_4c

const webhookOf = ({ type, about, permission, venue, data }: EventType) => ({
  post: {
    operationId: `on_${type.replaceAll('.', '_')}`,
    summary: about,
    description: `${venue ? 'Belongs to a venue. ' : ''}Seen with the permissions \`events:read\` and \`${permission}\`.`,
    tags: ['Events'],
    security: [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaOf(type), example: exampleOf(type, venue, data) } },
    },
    responses: { '2XX': { description: 'Taken' } },
  },
})

const schemaOf = (type: string) => ({
  allOf: [
    Event,
    {
      type: 'object',
      properties: { type: { const: type }, data: { $ref: `#/components/schemas/EventData/properties/${type}` } },
    },
  ],
})

const exampleOf = (type: string, venue: boolean, data: EventType['data']) => ({
  id: eventId({ position: POSITION, nonce: NONCE }),
  type,
  timestamp: AT,
  position: POSITION,
  brand: 'demo',
  ...(venue && { venue_id: 2 }),
  source: { kind: 'staff', own: false },
  data,
})
