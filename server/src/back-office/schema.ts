import Type, { type Static, type TSchema } from 'typebox'
import { CHANNELS, GOODS } from '../setup/schema.ts'

// Schemas of the back office's own API. The pages import these types and nothing else of the server.

export const Instant = Type.String({ format: 'date-time' })
export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
export const closed = { additionalProperties: false }

const Password = Type.String({ minLength: 1, maxLength: 256 })
const Name = Type.String({ minLength: 1, maxLength: 255, 'x-name': true })
const Slug = Type.String({ minLength: 1, maxLength: 63 })
const Username = Type.String({ minLength: 1, maxLength: 64 })
const Code = Type.String({ pattern: '^[0-9]{6}$' })

export const NewSession = Type.Object({ brand: Slug, username: Username, password: Password }, closed)
export const NewOperatorSession = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 32 }), password: Password, code: Type.Optional(Code) },
  closed,
)
export const EndSession = Type.Object({ everywhere: Type.Optional(Type.Boolean()) }, closed)

/** How other devices of the local network are connected. */
const Connect = Type.Object({
  page: Type.String(),
  authority: Type.String({ description: 'Its name in the lists of a device' }),
  fingerprint: Type.String({ description: 'SHA-256' }),
})
export type Connect = Static<typeof Connect>

/** What stands on the guests' paper of a venue. */
const Paper = Type.Object({
  language: Type.String(),
  address: Type.Optional(Type.String()),
  legal_name: Type.Optional(Type.String()),
  tax_number: Type.Optional(Type.String()),
  footer: Type.Optional(Type.String()),
})

const Language = Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35, description: 'BCP 47' })
/** The language that a person reads the pages in. */
export const ChosenLanguage = Type.Object({ language: Language }, closed)
const ChosenByPerson = Nullable(Type.String({ description: 'As they chose it; null until they did' }))

/** The signed-in staff user or operator. */
export const Me = Type.Union([
  Type.Object({
    kind: Type.Literal('user'),
    id: Type.Integer({ description: 'What pages send as x-person' }),
    name: Type.String(),
    username: Type.String(),
    role: Type.String(),
    permissions: Type.Array(Type.String()),
    /** The terminal where the browser is enrolled (T16), and whether they gave a PIN there. */
    device: Type.Optional(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        use: Type.String(),
        terminal_id: Type.Integer(),
        venue_id: Type.Integer(),
        lock_s: Type.Integer({ description: 'Seconds without a touch until the names show again' }),
        by_pin: Type.Boolean(),
      }),
    ),
    /** The brand's data that they may read, by API name. */
    reads: Type.Array(Type.String()),
    brand: Type.Object({
      slug: Type.String(),
      name: Type.String(),
      test: Type.Boolean(),
      currency: Type.String({ description: 'ISO 4217' }),
      money_places: Type.Integer({ description: 'Decimals of amounts (P8)' }),
      languages: Type.Array(Type.String({ description: 'BCP 47' }), {
        description: 'The first is that of plain names',
      }),
    }),
    venues: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        time_zone: Type.String({ description: 'IANA name' }),
        paper: Paper,
        ask_guests: Type.Boolean({ description: 'Opening a table asks for the guests (T24)' }),
      }),
      { description: 'Those that they may enter, the main one first' },
    ),
    language: ChosenByPerson,
    base_path: Type.String({ description: 'Where the integration API lives' }),
    connect: Type.Optional(Connect),
  }),
  Type.Object({
    kind: Type.Literal('operator'),
    name: Type.String(),
    language: ChosenByPerson,
    base_path: Type.String(),
    connect: Type.Optional(Connect),
  }),
])
export type Me = Static<typeof Me>

/** JSON Schema of one member, as far as a form uses it. */
export interface MemberSchema {
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maxLength?: number
  readonly enum?: readonly (string | number)[]
  readonly items?: MemberSchema
  readonly patternProperties?: Readonly<Record<string, MemberSchema>>
  readonly anyOf?: readonly MemberSchema[]
}

export const EditField = Type.Object({
  name: Type.String(),
  schema: Type.Unsafe<MemberSchema>({ type: 'object' }),
  required: Type.Boolean(),
  only_new: Type.Boolean({ description: 'A row keeps what it was made with' }),
  options: Nullable(Type.String({ description: 'The resource whose rows it points at' })),
})
export type EditField = Static<typeof EditField>

/** A form for rows of one resource. */
export const EditForm = Type.Object({
  resource: Type.String(),
  one: Type.String({ description: 'The name of one of them' }),
  scope: Type.Enum(['brand', 'venue']),
  permission: Type.String(),
  single: Type.Boolean({ description: 'There is one of it: no list, and no id in the path' }),
  reviewed: Type.Array(Type.String(), { description: 'Members whose change is shown once more before it is saved' }),
  is_shared: Type.Boolean({
    description: 'Whether other venues have the same row: then every change is shown once more',
  }),
  removable: Type.Boolean({ description: 'Whether a row that nothing points at can be removed' }),
  series: Type.Boolean({ description: 'Whether many can be made at once: T1 to T20' }),
  fields: Type.Array(EditField),
  start: Type.Object(
    {
      values: Type.Record(Type.String(), Type.Unknown()),
      names: Type.Record(Type.String(), Type.Record(Type.String(), Type.String())),
    },
    { description: 'What a new row has where nothing is said, and the names of what that points at' },
  ),
})
export type EditForm = Static<typeof EditForm>

/** The forms that a person may use, and the venues that they may enter, the main one first. */
export const Forms = Type.Object({
  forms: Type.Array(EditForm),
  venues: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
})
export type Forms = Static<typeof Forms>

/** A column of a data page; `labels` are words for its numbers. */
export const DataColumn = Type.Object({
  name: Type.String(),
  kind: Type.Enum([
    'id',
    'name',
    'text',
    'number',
    'amount',
    'instant',
    'boolean',
    'active',
    'choice',
    'object',
    'array',
  ]),
  labels: Type.Record(Type.String(), Type.String()),
  sortable: Type.Boolean(),
})
export type DataColumn = Static<typeof DataColumn>

/** A data page: the columns of its table, and the searches and filters it offers. */
export const DataTable = Type.Object({
  resource: Type.String(),
  one: Type.String({ description: 'The name of one of them' }),
  columns: Type.Array(DataColumn),
  search: Type.Array(Type.Object({ name: Type.String(), kind: Type.Enum(['like', 'exact', 'number']) })),
  filters: Type.Array(Type.Unknown({ description: 'Sent with every search' })),
  query: Type.Record(Type.String(), Type.String({ description: 'Parameters sent with every search' })),
  sort: Type.Array(Type.String()),
  has_dates: Type.Boolean(),
  newest_first: Nullable(Type.String({ description: 'The time by which the newest come first' })),
  include: Type.Array(Type.String({ description: 'What only a row that is read by itself comes with' })),
})
export type DataTable = Static<typeof DataTable>
export const DataTables = Type.Object({ tables: Type.Array(DataTable) })
export type DataTables = Static<typeof DataTables>

const Token = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })
export const InvitationToken = Type.Object({ token: Token }, closed)
export type InvitationToken = Static<typeof InvitationToken>
/** The person a link is for; an operator also gets what the authenticator app needs. */
export const Invited = Type.Object({
  name: Type.String(),
  brand: Nullable(Type.Object({ slug: Type.String(), name: Type.String() })),
  totp: Nullable(Type.Object({ secret: Type.String(), uri: Type.String() })),
  expires_at: Instant,
})
export type Invited = Static<typeof Invited>
export const Acceptance = Type.Object({ token: Token, password: Password, code: Type.Optional(Code) }, closed)

/** What setup proposes. */
export const SetupInfo = Type.Object({
  brand: Nullable(Type.Object({ slug: Type.String(), name: Type.String() }, { description: 'That the link is for' })),
  countries: Type.Array(
    Type.Object({
      code: Type.String({ description: 'ISO 3166' }),
      currency: Type.String(),
      money_places: Type.Integer(),
      time_zones: Type.Array(Type.String()),
      languages: Type.Array(Type.String()),
      included: Type.Boolean(),
      taxes: Type.Array(
        Type.Object({
          name: Type.String(),
          rate: Nullable(Type.Number({ description: 'null: it must be typed' })),
          channels: Type.Optional(Type.Array(Type.Enum([...CHANNELS]))),
          goods: Type.Optional(Type.Array(Type.Enum([...GOODS]))),
          for_new: Type.Optional(Type.Boolean()),
        }),
      ),
      fiscal: Type.Boolean({ description: 'The law wants a fiscal device or a certified till' }),
      checked: Type.String({ description: 'When that was looked up, or `unverified`' }),
    }),
  ),
})
export type SetupInfo = Static<typeof SetupInfo>

/** Somebody who works here, and how they get in. */
const Colleague = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  username: Type.String(),
  role: Type.Object({ id: Type.Integer(), name: Type.String() }),
  venue_ids: Nullable(Type.Array(Type.Integer(), { description: 'null: every venue' })),
  state: Type.Enum(['active', 'invited', 'new', 'off'], { description: 'new: neither a password nor a link yet' }),
  link_until: Nullable(Instant),
  seen_at: Nullable(Instant),
  is_own: Type.Boolean(),
  can_invite: Type.Boolean({ description: 'Whether this person may make a link for them' }),
})
export type Colleague = Static<typeof Colleague>
export const Colleagues = Type.Object({ people: Type.Array(Colleague), total: Type.Integer() })
export type Colleagues = Static<typeof Colleagues>
export const ColleaguesQuery = Type.Object({ search: Type.Optional(Type.String({ maxLength: 100 })) }, closed)
export const NewLink = Type.Object({ token: Token, expires_at: Instant })
export type NewLink = Static<typeof NewLink>

/** A credential as the table shows it, without its secret. */
export const ShownCredential = Type.Object({
  client_id: Type.String(),
  name: Type.String(),
  user: Type.Object({ id: Type.Integer(), name: Type.String(), role: Type.String(), active: Type.Boolean() }),
  venue: Type.Object({ id: Type.Integer(), name: Type.String() }),
  enabled: Type.Boolean(),
  /** Instant until which the secret before the last rotation also works. */
  previous_until: Nullable(Instant),
  created_at: Instant,
  used_at: Nullable(Instant),
})
export type ShownCredential = Static<typeof ShownCredential>
export const Credentials = Type.Object({ credentials: Type.Array(ShownCredential) })
export const NewCredential = Type.Object(
  {
    name: Name,
    user_id: Type.Integer({ minimum: 1 }),
    venue_id: Type.Integer({ minimum: 1 }),
  },
  closed,
)
export const CredentialChange = Type.Object({ enabled: Type.Boolean() }, closed)
export const PasswordAgain = Type.Object({ password: Password }, closed)
export const NewPassword = Type.Object({ password: Password, new_password: Password }, closed)
export const ClientId = Type.Object({ client_id: Type.String() })
/** Credentials for an integrator; shown, never listed. */
export const Secret = Type.Object({ client_id: Type.String(), client_secret: Type.String() })
export type Secret = Static<typeof Secret>

/** Users and venues that credentials can be bound to. */
export const Staff = Type.Object({
  users: Type.Array(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      username: Type.String(),
      role: Type.String(),
      permissions: Type.Array(Type.String()),
      venue_ids: Nullable(Type.Array(Type.Integer())),
    }),
  ),
  venues: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), is_main: Type.Boolean() })),
  /** Permissions that a program can have, so that a page can name those that are missing. */
  permissions: Type.Array(Type.String()),
})
export type Staff = Static<typeof Staff>

export const AuditQuery = Type.Object(
  {
    before: Type.Optional(Type.Integer({ minimum: 1 })),
    search: Type.Optional(Type.String({ maxLength: 100 })),
  },
  closed,
)
export const AuditPage = Type.Object({
  rows: Type.Array(
    Type.Object({
      id: Type.Integer(),
      at: Instant,
      actor: Type.String(),
      action: Type.String(),
      subject: Type.String(),
      brand: Nullable(Type.String({ description: 'Its slug' })),
      before: Type.Unknown(),
      after: Type.Unknown(),
    }),
  ),
  /** Where the next page begins; null on the last. */
  next: Nullable(Type.Integer()),
})
export type AuditPage = Static<typeof AuditPage>
export const Verification = Type.Object({ intact: Type.Boolean(), checked_at: Instant })
export type Verification = Static<typeof Verification>

const Check = Type.Object({
  state: Type.Enum(['none', 'waiting', 'running']),
  done: Type.Integer({ description: 'Pieces of the work' }),
  total: Type.Integer(),
  failed: Type.Boolean({ description: 'Whether the last one could not be finished' }),
})

/** What the last check of the brand's books found, null where it never ran, and the one that runs. */
export const Books = Type.Object({
  audit: Nullable(
    Type.Object({
      at: Instant,
      ms: Type.Integer(),
      version: Type.String({ description: 'Comptoir’s version' }),
      receipts: Type.Integer(),
      invariants: Type.Array(
        Type.Object({
          invariant: Type.String(),
          found: Type.Integer({ description: 'How many rows break it' }),
          findings: Type.Array(Type.Object({ subject: Type.String(), problem: Type.String() }), {
            description: 'Empty for those who may not enter every venue',
          }),
        }),
      ),
    }),
  ),
  check: Check,
  nightly: Type.String({ description: 'A time such as 04:00, by the clock of the first venue, or off' }),
})
export type Books = Static<typeof Books>

// The operator's

export const ShownBrand = Type.Object({
  slug: Type.String(),
  name: Type.String(),
  test: Type.Boolean(),
  created_at: Instant,
  credentials: Type.Integer(),
  is_open: Type.Boolean({ description: 'Whether it has rows already; otherwise it can be set up' }),
  quotas: Type.Array(Type.Object({ integrator_id: Type.String(), per_minute: Type.Integer() })),
})
export type ShownBrand = Static<typeof ShownBrand>
export const Brands = Type.Object({ brands: Type.Array(ShownBrand) })
export const NewBrand = Type.Object({ slug: Slug, name: Name, test: Type.Boolean() }, closed)
/** The secret of a link to setup. */
export const SetupToken = Type.Object({ token: Token, expires_at: Instant })
export type SetupToken = Static<typeof SetupToken>
export const BrandChange = Type.Object({ test: Type.Boolean() }, closed)
export const BrandSlug = Type.Object({ slug: Type.String() })
export const Quota = Type.Object({ per_minute: Type.Integer({ minimum: 0 }) }, closed)

/** A brand's active staff, and whether each has a way into the back office: a password, a link, or neither. */
export const BrandStaff = Type.Object({
  users: Type.Array(
    Type.Object({
      username: Type.String(),
      name: Type.String(),
      role: Type.String(),
      access: Type.Union([Type.Literal('password'), Type.Literal('link'), Type.Literal('none')]),
    }),
  ),
})
export type BrandStaff = Static<typeof BrandStaff>
export const NewInvitation = Type.Object({ username: Username, password: Password }, closed)

export const ShownIntegrator = Type.Object({
  integrator_id: Type.String(),
  name: Type.String(),
  active: Type.Boolean(),
  test: Type.Boolean(),
  created_at: Instant,
  used_at: Nullable(Instant),
})
export type ShownIntegrator = Static<typeof ShownIntegrator>
export const Integrators = Type.Object({ integrators: Type.Array(ShownIntegrator) })
export const NewIntegrator = Type.Object({ name: Name, test: Type.Boolean() }, closed)
export const IntegratorChange = Type.Object(
  { active: Type.Optional(Type.Boolean()), test: Type.Optional(Type.Boolean()) },
  closed,
)
export const IntegratorId = Type.Object({ integrator_id: Type.String() })

export const BrandAndIntegrator = Type.Object({ ...BrandSlug.properties, ...IntegratorId.properties })
export const BrandAndClient = Type.Object({ ...BrandSlug.properties, ...ClientId.properties })
export const Rotation = Type.Object({ overlap_s: Type.Integer({ minimum: 0 }), password: Password }, closed)

export const SharedBrands = Type.Object({
  brands: Type.Array(
    Type.Object({
      slug: Type.String(),
      name: Type.String(),
      integrators: Type.Array(
        Type.Object({
          integrator_id: Type.String(),
          name: Type.String(),
          used_at: Instant,
          per_minute: Nullable(Type.Integer()),
        }),
      ),
    }),
  ),
})
export type SharedBrands = Static<typeof SharedBrands>

export const Health = Type.Object({
  stores: Type.Array(
    Type.Object({ name: Type.String(), detail: Type.String(), ok: Type.Boolean(), ms: Nullable(Type.Number()) }),
  ),
  workers: Type.Array(
    Type.Object({
      name: Type.String(),
      alive: Type.Boolean(),
      started_at: Instant,
      seen_at: Instant,
      node: Type.String(),
      rss_bytes: Type.Integer(),
    }),
  ),
})
export type Health = Static<typeof Health>

/** Copies of the embedded database; null on PostgreSQL, which has tools of its own. */
export const Backups = Type.Object({
  backups: Nullable(
    Type.Object({
      folder: Type.String(),
      every_ms: Nullable(Type.Integer({ description: 'Null where nothing makes them by itself' })),
      keep: Type.Integer(),
      running: Type.Boolean(),
      made_at: Nullable(Instant),
      failed: Nullable(Type.Object({ at: Instant, reason: Type.Enum(['full', 'folder', 'other']) })),
      copies: Type.Array(Type.Object({ name: Type.String(), at: Instant, bytes: Type.Integer() }), {
        description: 'In the folder, the newest first',
      }),
    }),
  ),
})
export type Backups = Static<typeof Backups>
export const CopyName = Type.Object({ name: Type.String({ maxLength: 64 }) })
export const DownloadTicket = Type.Object({ ticket: Token })
export const TicketGiven = Type.Object({ ticket: Token }, closed)

/** W20 */
export const WebhooksOverview = Type.Object({
  states: Type.Record(Type.String(), Type.Integer()),
  backlog: Type.Object({ events: Type.Integer(), waiting: Type.Integer(), oldest_seconds: Type.Integer() }),
  endpoints: Type.Array(
    Type.Object({
      brand: Type.String(),
      id: Type.String(),
      name: Type.String(),
      state: Type.String(),
      reason: Nullable(Type.String()),
      state_since: Instant,
      failures: Type.Integer(),
      next_probe_at: Nullable(Instant),
      behind: Type.Object({ events: Type.Integer(), seconds: Type.Integer() }),
      waiting: Type.Integer(),
      lease: Nullable(Type.Object({ holder: Type.String(), until: Instant })),
    }),
  ),
})
export type WebhooksOverview = Static<typeof WebhooksOverview>

export const SignIns = Type.Object({
  attempts: Type.Array(
    Type.Object({ at: Instant, actor: Nullable(Type.String()), address: Type.String(), outcome: Type.String() }),
  ),
})
export type SignIns = Static<typeof SignIns>
