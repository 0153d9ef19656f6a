import { Badge, Button, Group, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch, IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AuditPage } from '../../../server/src/back-office/schema.ts'
import { api, queries, type Side } from '../api.ts'
import { nameOf, worded } from '../components/data/data-cells.tsx'
import { OpenDetails } from '../components/data/details.tsx'
import { type Column, Named, Rows } from '../components/data/rows.tsx'
import { Drawer } from '../components/layers.tsx'
import { Page } from '../components/layout/page.tsx'
import { Empty, Failure, Loaded } from '../components/layout/states.tsx'
import { Moment, shownInstant } from '../components/when.tsx'
import { Who } from '../components/who.tsx'
import { openApiTexts } from '../texts/integrations/open-api.ts'
import { auditTexts } from '../texts/office/audit.ts'
import { formTexts } from '../texts/office/forms.ts'
import { LOCALE, texts } from '../texts/texts.ts'

type Entry = AuditPage['rows'][number]

export const BrandAudit = () => <Audit side="" />
export const OperatorAudit = () => <Audit side="/operator" />

function Audit({ side }: { side: Side }) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const [opened, open] = useState<Entry>()
  const query = useInfiniteQuery({
    queryKey: ['audit', side, search],
    queryFn: ({ pageParam }) => api.auditPage(side, search, pageParam),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    select: ({ pages }) => pages.flatMap(({ rows }) => rows),
  })
  return (
    <Page title={auditTexts.title} lead={auditTexts.lead} action={<Seal side={side} />}>
      <TextInput
        mb="md"
        maw={360}
        leftSection={<IconSearch size={16} aria-hidden />}
        aria-label={auditTexts.search}
        placeholder={auditTexts.searchHint}
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Loaded query={query}>
        {(rows) =>
          rows.length > 0 ? (
            <Rows caption={auditTexts.title} columns={columns(side, open)} rows={rows} keyOf={({ id }) => id} />
          ) : search ? (
            <Empty title={auditTexts.none} lead={auditTexts.noneLead} />
          ) : (
            <Empty title={auditTexts.empty} lead={auditTexts.emptyLead} />
          )
        }
      </Loaded>
      {query.data && query.error && <Failure error={query.error} />}
      {query.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {auditTexts.older}
          </Button>
        </Group>
      )}
      <Details entry={opened} onClose={() => open(undefined)} />
    </Page>
  )
}

/** Shows whether the hash chain of the entries is intact. */
function Seal({ side }: { side: Side }) {
  const { data, error } = useQuery(queries.verification(side))
  if (error) return null
  if (!data)
    return (
      <Badge size="lg" variant="light" color="gray">
        {auditTexts.checking}
      </Badge>
    )
  const [text, hint, Icon] = data.intact
    ? [auditTexts.verified, auditTexts.verifiedHint(shownInstant(data.checked_at)), IconShieldCheck]
    : [auditTexts.broken, auditTexts.brokenHint, IconShieldX]
  return (
    <Tooltip label={hint} multiline maw={280}>
      <Badge
        size="lg"
        variant="light"
        color={data.intact ? 'bottle' : 'red'}
        leftSection={<Icon size={16} />}
        tabIndex={0}
      >
        {text}
      </Badge>
    </Tooltip>
  )
}

/** What was done: in the words that there are for it, else of what kind of row it was. */
function action({ action: name }: Entry): string {
  const [kind = '', what = ''] = name.split('.')
  return auditTexts.actions[name] ?? auditTexts.byHand[what]?.(worded(kind)) ?? name
}

const columns = (side: Side, open: (entry: Entry) => void): Column<Entry>[] => [
  { name: auditTexts.columns.what, cell: (entry) => <Named name={action(entry)} id={entry.subject} /> },
  ...(side === '' ? [] : [brandColumn]),
  { name: auditTexts.columns.change, wide: true, cell: (entry) => <Changed entry={entry} /> },
  { name: auditTexts.columns.who, cell: ({ actor }) => <Who actor={actor} /> },
  { name: auditTexts.columns.when, cell: ({ at }) => <Moment at={at} /> },
  {
    name: auditTexts.columns.actions,
    actions: true,
    cell: (entry) => (
      <OpenDetails label={auditTexts.detailsOf(`${action(entry)}, ${entry.subject}`)} onClick={() => open(entry)} />
    ),
  },
]

const brandColumn: Column<Entry> = {
  name: auditTexts.columns.brand,
  cell: ({ brand }) => brand !== null && <span className="mono">{brand}</span>,
}

const HIDDEN = new Set([
  'epoch',
  'is_main',
  'brand_id',
  'id',
  'client_id',
  'user_id',
  'venue_id',
  'created_at',
  'slug',
  'username',
])

/** The members that differ, in a word each. */
function Changed({ entry: { action, before, after } }: { entry: Entry }) {
  const isChange = action.endsWith('.change') // made by hand: it has nothing but what changed
  const [old, now] = [before, after].map((side) => (side ?? {}) as Record<string, unknown>) as [
    Record<string, unknown>,
    Record<string, unknown>,
  ]
  const members = Object.keys({ ...old, ...now }).filter(
    (name) =>
      (isChange || (!HIDDEN.has(name) && now[name] != null)) && JSON.stringify(old[name]) !== JSON.stringify(now[name]),
  )
  return (
    <div className="change">
      {members.slice(0, 3).map((name) => (
        <span key={name}>
          <span className="quiet">{auditTexts.members[name] ?? nameOf(name).toLowerCase()} </span>
          {old[name] != null && (
            <>
              <del>{word(name, old[name])}</del> →{' '}
            </>
          )}
          <ins>{now[name] == null ? formTexts.none : word(name, now[name])}</ins>
        </span>
      ))}
    </div>
  )
}

const LONGEST = 48

function word(name: string, value: unknown): string {
  if (name === 'enabled') return value ? openApiTexts.on : openApiTexts.off
  if (name === 'test' || name === 'active') return value ? auditTexts.yes : auditTexts.no
  if (value === '["*"]') return auditTexts.all
  if (typeof value === 'number') return value.toLocaleString(LOCALE)
  if (name.endsWith('_at') || name.endsWith('_until')) return shownInstant(String(value))
  const text = (typeof value === 'object' ? JSON.stringify(value) : String(value))
    .replaceAll(/[[\]"]/g, '')
    .replaceAll(',', ', ') // lists are kept as JSON
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

function Details({ entry, onClose }: { entry: Entry | undefined; onClose: () => void }) {
  return (
    <Drawer
      opened={entry !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={entry && action(entry)}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {entry && (
        <Stack>
          <div>
            <Text fw={600}>
              <Who actor={entry.actor} />
            </Text>
            <Text size="sm" className="quiet">
              {shownInstant(entry.at)} · <span className="mono">{entry.subject}</span>
            </Text>
          </div>
          {(
            [
              [auditTexts.before, entry.before],
              [auditTexts.after, entry.after],
            ] as const
          ).map(([title, value]) => (
            <div key={title}>
              <Text size="sm" fw={500} mb={4}>
                {title}
              </Text>
              <pre className="code-block">{value ? JSON.stringify(value, null, 2) : auditTexts.nothing}</pre>
            </div>
          ))}
        </Stack>
      )}
    </Drawer>
  )
}
