import { Alert, Badge, Button, Stack, Text, Title } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Books as Answer } from '../../../server/src/back-office/schema.ts'
import { api, queries } from '../api.ts'
import { type Column, Named, Rows } from '../components/data/rows.tsx'
import { Page } from '../components/layout/page.tsx'
import { Empty, Loaded } from '../components/layout/states.tsx'
import { percent } from '../components/reports/figures.ts'
import { tellFailure } from '../components/tell.ts'
import { When } from '../components/when.tsx'
import { maySet, readableBy } from '../me.ts'
import { bookTexts } from '../texts/office/books.ts'
import { LOCALE } from '../texts/texts.ts'
import '../components/activity/activity.css'
import '../components/reports/reports.css'

type Audit = NonNullable<Answer['audit']>
type Rule = Audit['invariants'][number]
type Finding = Rule['findings'][number]

/** As many of one rule as an audit keeps (server/src/pos/books/finding.ts). */
const MOST = 200

export function Books() {
  const query = useQuery({
    ...queries.books,
    refetchInterval: ({ state }) => (isChecking(state.data) ? CHECKING_MS : IDLE_MS),
  })
  const ask = useMutation({
    mutationFn: api.checkBooks,
    onSuccess: () => query.refetch(),
    onError: tellFailure,
  })
  const check = (
    <Button
      leftSection={<IconChecklist size={16} />}
      disabled={isChecking(query.data)}
      loading={ask.isPending}
      onClick={() => ask.mutate()}
    >
      {bookTexts.checkNow}
    </Button>
  )
  return (
    <Page title={bookTexts.title} lead={bookTexts.lead} action={check}>
      <Loaded query={query}>
        {({ audit, check: { state, done, total, failed }, nightly }) => (
          <Stack gap="lg">
            {state !== 'none' && <Running done={done} total={state === 'running' ? total : 0} />}
            {failed && <Alert color="red">{bookTexts.failed}</Alert>}
            {audit ? (
              <>
                <Verdict {...audit} />
                <Facts {...audit} />
                {audit.invariants.map((rule) => rule.found > 0 && <Findings key={rule.invariant} {...rule} />)}
                <Rows
                  caption={bookTexts.rules}
                  columns={RULES}
                  rows={audit.invariants}
                  keyOf={({ invariant }) => invariant}
                />
              </>
            ) : (
              state === 'none' && <Empty title={bookTexts.never} lead={bookTexts.neverLead} />
            )}
            <Nightly at={nightly} />
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

const CHECKING_MS = 1_000
const IDLE_MS = 10_000
const isChecking = (books: Answer | undefined) => books !== undefined && books.check.state !== 'none'

/** How far the check is that runs beside the service. */
function Running({ done, total }: { done: number; total: number }) {
  const said = total === 0 ? bookTexts.waiting : bookTexts.running(percent(done, total) || percent(1, 1))
  return (
    <div className="card panel" role="status">
      <Text fw={600}>{said}</Text>
      <progress className="check-progress" value={total === 0 ? undefined : done} max={total || 1} aria-label={said} />
      <Text size="sm" className="quiet">
        {bookTexts.beside}
      </Text>
    </div>
  )
}

/** When they are checked by themselves, and where that is set. */
function Nightly({ at }: { at: string }) {
  const { data: me } = useSuspenseQuery(queries.me)
  // The brand's form is for those who may enter every venue.
  const { data: forms } = useQuery({ ...queries.forms, enabled: maySet(me) })
  const mayChange = forms?.data.forms.some(({ resource }) => resource === 'brand')
  return (
    <Text size="sm" className="quiet">
      {at === 'off' ? bookTexts.notNightly : bookTexts.nightly(at)}{' '}
      {mayChange && (
        <Link to="/settings/$resource" params={{ resource: 'brand' }}>
          {bookTexts.change}
        </Link>
      )}
    </Text>
  )
}

const counted = (count: number) => count.toLocaleString(LOCALE)

function Verdict({ invariants }: Audit) {
  const found = invariants.reduce((sum, rule) => sum + rule.found, 0)
  return (
    <div>
      <Badge size="lg" variant="light" color={found === 0 ? 'bottle' : 'red'}>
        {found === 0 ? bookTexts.sound : bookTexts.unsound(counted(found))}
      </Badge>
    </div>
  )
}

const Facts = ({ at, receipts, ms, version }: Audit) => (
  <dl className="sums">
    {(
      [
        [bookTexts.checked, <When key="at" at={at} />],
        [bookTexts.receipts, counted(receipts)],
        [bookTexts.took, bookTexts.seconds(counted(Math.ceil(ms / 1000)))],
        [bookTexts.version, version],
      ] as const
    ).map(([name, figure]) => (
      <div key={name} className="card metric">
        <dt>{name}</dt>
        <dd>
          <span className="figure">{figure}</span>
        </dd>
      </div>
    ))}
  </dl>
)

const RULES: Column<Rule>[] = [
  {
    name: bookTexts.columns.rule,
    wide: true,
    cell: ({ invariant }) => <Named name={bookTexts.invariants[invariant] ?? invariant} id={invariant} />,
  },
  {
    name: bookTexts.columns.result,
    cell: ({ found }) => (
      <Badge variant="light" color={found === 0 ? 'bottle' : 'red'}>
        {found === 0
          ? bookTexts.holds
          : found < MOST
            ? bookTexts.found(counted(found))
            : bookTexts.foundAtLeast(counted(found))}
      </Badge>
    ),
  },
]

function Findings({ invariant, findings }: Rule) {
  const title = bookTexts.findingsOf(invariant)
  return (
    <section aria-label={title}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      {findings.length === 0 ? (
        <Text size="sm" className="quiet">
          {bookTexts.hidden}
        </Text>
      ) : (
        <Rows
          caption={title}
          columns={FINDINGS}
          rows={findings}
          keyOf={({ subject, problem }) => `${subject} ${problem}`}
        />
      )}
    </section>
  )
}

const FINDINGS: Column<Finding>[] = [
  { name: bookTexts.columns.subject, cell: ({ subject }) => <Subject subject={subject} /> },
  { name: bookTexts.columns.problem, wide: true, cell: ({ problem }) => problem },
]

/** `receipt 17` leads to the receipt, where the person may look at receipts. */
function Subject({ subject }: { subject: string }) {
  const { data: me } = useSuspenseQuery(queries.me)
  const { data: tables } = useQuery(queries.tables)
  const [, kind = '', id = ''] = /^(.*) (\S+)$/.exec(subject) ?? []
  const table = tables?.tables.find(({ one }) => one === kind.replaceAll(' ', '-'))
  if (!table || !readableBy(me).includes(table.resource)) return <span className="nowrap">{subject}</span>
  return (
    <Link className="nowrap" to="/data/$resource" params={{ resource: table.resource }} search={{ id }}>
      {subject}
    </Link>
  )
}
