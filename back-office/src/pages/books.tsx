import { Badge, Stack, Text, Title } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Books as Answer } from '../../../server/src/back-office/schema.ts'
import { queries } from '../api.ts'
import { CopyBlock } from '../components/copy.tsx'
import { type Column, Named, Rows } from '../components/data/rows.tsx'
import { Page } from '../components/layout/page.tsx'
import { Empty, Loaded } from '../components/layout/states.tsx'
import { When } from '../components/when.tsx'
import { readableBy } from '../me.ts'
import { LOCALE, texts } from '../texts/texts.ts'
import '../components/activity/activity.css'

type Audit = NonNullable<Answer['audit']>
type Rule = Audit['invariants'][number]
type Finding = Rule['findings'][number]

/** As many of one rule as an audit keeps (server/src/pos/books/finding.ts). */
const MOST = 200

export function Books() {
  const query = useQuery(queries.books)
  const { data: me } = useSuspenseQuery(queries.me)
  const command = `comptoir audit books --brand ${me.kind === 'user' ? me.brand.slug : ''}`
  return (
    <Page
      title={texts.books.title}
      lead={texts.books.lead}
      action={query.data?.audit && <Verdict {...query.data.audit} />}
    >
      <Loaded query={query}>
        {({ audit }) =>
          audit ? (
            <Stack gap="lg">
              <Facts {...audit} />
              {audit.invariants.map((rule) => rule.found > 0 && <Findings key={rule.invariant} {...rule} />)}
              <Rows
                caption={texts.books.rules}
                columns={RULES}
                rows={audit.invariants}
                keyOf={({ invariant }) => invariant}
              />
              <CopyBlock label={texts.books.command} text={command} />
            </Stack>
          ) : (
            <Stack gap="lg">
              <Empty title={texts.books.never} lead={texts.books.neverLead} />
              <CopyBlock label={texts.books.command} text={command} />
            </Stack>
          )
        }
      </Loaded>
    </Page>
  )
}

const counted = (count: number) => count.toLocaleString(LOCALE)

function Verdict({ invariants }: Audit) {
  const found = invariants.reduce((sum, rule) => sum + rule.found, 0)
  return (
    <Badge size="lg" variant="light" color={found === 0 ? 'bottle' : 'red'}>
      {found === 0 ? texts.books.sound : texts.books.unsound(counted(found))}
    </Badge>
  )
}

const Facts = ({ at, receipts, ms, version }: Audit) => (
  <dl className="outcomes">
    {(
      [
        [texts.books.checked, <When key="at" at={at} />],
        [texts.books.receipts, counted(receipts)],
        [texts.books.took, texts.books.seconds(counted(Math.ceil(ms / 1000)))],
        [texts.books.version, version],
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
    name: texts.books.columns.rule,
    wide: true,
    cell: ({ invariant }) => <Named name={texts.books.invariants[invariant] ?? invariant} id={invariant} />,
  },
  {
    name: texts.books.columns.result,
    cell: ({ found }) => (
      <Badge variant="light" color={found === 0 ? 'bottle' : 'red'}>
        {found === 0
          ? texts.books.holds
          : found < MOST
            ? texts.books.found(counted(found))
            : texts.books.foundAtLeast(counted(found))}
      </Badge>
    ),
  },
]

function Findings({ invariant, findings }: Rule) {
  const title = texts.books.findingsOf(invariant)
  return (
    <section aria-label={title}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      {findings.length === 0 ? (
        <Text size="sm" className="quiet">
          {texts.books.hidden}
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
  { name: texts.books.columns.subject, cell: ({ subject }) => <Subject subject={subject} /> },
  { name: texts.books.columns.problem, wide: true, cell: ({ problem }) => problem },
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
