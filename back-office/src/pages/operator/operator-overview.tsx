import { Badge, Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type {
  Health as HealthAnswer,
  SharedBrands as Shared,
  SignIns as SignInsAnswer,
} from '../../../../server/src/back-office/schema.ts'
import { queries } from '../../api.ts'
import { Quota } from '../../components/credentials/quota.tsx'
import { type Column, Named, Rows } from '../../components/data/rows.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { Moment, When } from '../../components/when.tsx'
import { Who } from '../../components/who.tsx'
import { operatorTexts } from '../../texts/office/operator.ts'
import { LOCALE } from '../../texts/texts.ts'

// The operator's read-only pages: shared brands, health, sign-ins.

const { health } = operatorTexts

export function SharedBrands() {
  const query = useQuery(queries.sharedBrands)
  return (
    <Page title={operatorTexts.shared.title} lead={operatorTexts.shared.lead}>
      <Loaded query={query}>
        {({ brands }) =>
          brands.length === 0 ? (
            <Empty title={operatorTexts.shared.empty} lead={operatorTexts.shared.emptyLead} />
          ) : (
            <Stack gap="xl">
              {brands.map(({ slug, name, integrators }) => (
                <section key={slug}>
                  <Title order={2} size="h4" mb="sm">
                    {name} <span className="mono quiet">{slug}</span>
                  </Title>
                  <Rows
                    caption={name}
                    columns={sharedColumns}
                    rows={integrators}
                    keyOf={({ integrator_id }) => integrator_id}
                  />
                </section>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Page>
  )
}

const sharedColumns: Column<Shared['brands'][number]['integrators'][number]>[] = [
  {
    name: operatorTexts.shared.columns.integrator,
    cell: ({ name, integrator_id }) => <Named name={name} id={integrator_id} />,
  },
  {
    name: operatorTexts.shared.columns.quota,
    cell: ({ per_minute }) => <Quota perMinute={per_minute} />,
  },
  { name: operatorTexts.shared.columns.used, cell: ({ used_at }) => <When at={used_at} /> },
]

export function Health() {
  const query = useQuery(queries.health)
  return (
    <Page title={operatorTexts.health.title} lead={operatorTexts.health.lead}>
      <Loaded query={query}>
        {({ stores, workers }) => (
          <Stack gap="xl">
            <section>
              <Title order={2} size="h4" mb="sm">
                {operatorTexts.health.stores}
              </Title>
              <div className="metrics">
                {stores.map((store) => (
                  <Store key={store.name} store={store} />
                ))}
              </div>
            </section>
            <section>
              <Title order={2} size="h4" mb="sm">
                {operatorTexts.health.workers}
              </Title>
              <Rows
                caption={operatorTexts.health.workers}
                columns={workerColumns}
                rows={workers}
                keyOf={({ name }) => name}
              />
            </section>
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

function Store({ store: { name, detail, ok, ms } }: { store: HealthAnswer['stores'][number] }) {
  const [, version] = /^schema (\d+)$/.exec(detail) ?? []
  return (
    <div className="card metric">
      <Text fw={600}>{health.names[name] ?? name}</Text>
      <Text size="sm" className="quiet" mb="sm">
        {version ? health.schema(version) : (health.details[detail] ?? detail)}
      </Text>
      <Badge
        variant="light"
        color={ok ? 'bottle' : 'red'}
        leftSection={ok ? <IconCircleCheck size={14} /> : <IconCircleX size={14} />}
      >
        {ok ? operatorTexts.health.ok : operatorTexts.health.bad}
        {ms !== null && ` · ${operatorTexts.health.ms(ms.toLocaleString(LOCALE))}`}
      </Badge>
    </div>
  )
}

const workerColumns: Column<HealthAnswer['workers'][number]>[] = [
  { name: operatorTexts.health.columns.name, cell: ({ name }) => <span className="mono">{name}</span> },
  {
    name: operatorTexts.health.columns.state,
    cell: ({ alive }) => (
      <Badge variant="light" color={alive ? 'bottle' : 'red'}>
        {alive ? operatorTexts.health.alive : operatorTexts.health.silent}
      </Badge>
    ),
  },
  { name: operatorTexts.health.columns.started, cell: ({ started_at }) => <When at={started_at} /> },
  { name: operatorTexts.health.columns.seen, cell: ({ seen_at }) => <When at={seen_at} /> },
  {
    name: operatorTexts.health.columns.memory,
    cell: ({ rss_bytes }) => operatorTexts.health.mib(Math.round(rss_bytes / 2 ** 20).toLocaleString(LOCALE)),
  },
  { name: operatorTexts.health.columns.node, cell: ({ node }) => node },
]

export function SignIns() {
  const query = useQuery(queries.signIns)
  return (
    <Page title={operatorTexts.signIns.title} lead={operatorTexts.signIns.lead}>
      <Loaded query={query}>
        {({ attempts }) =>
          attempts.length === 0 ? (
            <Empty title={operatorTexts.signIns.empty} lead={operatorTexts.signIns.emptyLead} />
          ) : (
            <Rows
              caption={operatorTexts.signIns.title}
              columns={signInColumns}
              rows={attempts}
              keyOf={({ at, address, actor }) => `${at} ${address} ${actor}`}
            />
          )
        }
      </Loaded>
    </Page>
  )
}

const signInColumns: Column<SignInsAnswer['attempts'][number]>[] = [
  {
    name: operatorTexts.signIns.columns.who,
    cell: ({ actor }) =>
      actor === null ? <span className="quiet">{operatorTexts.signIns.unknown}</span> : <Who actor={actor} withBrand />,
  },
  {
    name: operatorTexts.signIns.columns.outcome,
    cell: ({ outcome }) => (
      <Badge variant="light" color={outcome === 'refused' ? 'red' : 'bottle'}>
        {operatorTexts.signIns.outcomes[outcome] ?? outcome}
      </Badge>
    ),
  },
  { name: operatorTexts.signIns.columns.address, cell: ({ address }) => <span className="mono">{address}</span> },
  { name: operatorTexts.signIns.columns.when, cell: ({ at }) => <Moment at={at} /> },
]
