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
import { LOCALE, texts } from '../../texts/texts.ts'

// The operator's read-only pages: shared brands, health, sign-ins.

export function SharedBrands() {
  const query = useQuery(queries.sharedBrands)
  return (
    <Page title={texts.shared.title} lead={texts.shared.lead}>
      <Loaded query={query}>
        {({ brands }) =>
          brands.length === 0 ? (
            <Empty title={texts.shared.empty} lead={texts.shared.emptyLead} />
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
    name: texts.shared.columns.integrator,
    cell: ({ name, integrator_id }) => <Named name={name} id={integrator_id} />,
  },
  {
    name: texts.shared.columns.quota,
    cell: ({ per_minute }) => <Quota perMinute={per_minute} />,
  },
  { name: texts.shared.columns.used, cell: ({ used_at }) => <When at={used_at} /> },
]

export function Health() {
  const query = useQuery(queries.health)
  return (
    <Page title={texts.health.title} lead={texts.health.lead}>
      <Loaded query={query}>
        {({ stores, workers }) => (
          <Stack gap="xl">
            <section>
              <Title order={2} size="h4" mb="sm">
                {texts.health.stores}
              </Title>
              <div className="metrics">
                {stores.map((store) => (
                  <Store key={store.name} store={store} />
                ))}
              </div>
            </section>
            <section>
              <Title order={2} size="h4" mb="sm">
                {texts.health.workers}
              </Title>
              <Rows caption={texts.health.workers} columns={workerColumns} rows={workers} keyOf={({ name }) => name} />
            </section>
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

function Store({ store: { name, detail, ok, ms } }: { store: HealthAnswer['stores'][number] }) {
  return (
    <div className="card metric">
      <Text fw={600}>{name}</Text>
      <Text size="sm" className="quiet" mb="sm">
        {detail}
      </Text>
      <Badge
        variant="light"
        color={ok ? 'bottle' : 'red'}
        leftSection={ok ? <IconCircleCheck size={14} /> : <IconCircleX size={14} />}
      >
        {ok ? texts.health.ok : texts.health.bad}
        {ms !== null && ` · ${texts.health.ms(ms.toLocaleString(LOCALE))}`}
      </Badge>
    </div>
  )
}

const workerColumns: Column<HealthAnswer['workers'][number]>[] = [
  { name: texts.health.columns.name, cell: ({ name }) => <span className="mono">{name}</span> },
  {
    name: texts.health.columns.state,
    cell: ({ alive }) => (
      <Badge variant="light" color={alive ? 'bottle' : 'red'}>
        {alive ? texts.health.alive : texts.health.silent}
      </Badge>
    ),
  },
  { name: texts.health.columns.started, cell: ({ started_at }) => <When at={started_at} /> },
  { name: texts.health.columns.seen, cell: ({ seen_at }) => <When at={seen_at} /> },
  {
    name: texts.health.columns.memory,
    cell: ({ rss_bytes }) => texts.health.mib(Math.round(rss_bytes / 2 ** 20).toLocaleString(LOCALE)),
  },
  { name: texts.health.columns.node, cell: ({ node }) => node },
]

export function SignIns() {
  const query = useQuery(queries.signIns)
  return (
    <Page title={texts.signIns.title} lead={texts.signIns.lead}>
      <Loaded query={query}>
        {({ attempts }) =>
          attempts.length === 0 ? (
            <Empty title={texts.signIns.empty} lead={texts.signIns.emptyLead} />
          ) : (
            <Rows
              caption={texts.signIns.title}
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
    name: texts.signIns.columns.who,
    cell: ({ actor }) =>
      actor === null ? <span className="quiet">{texts.signIns.unknown}</span> : <Who actor={actor} withBrand />,
  },
  {
    name: texts.signIns.columns.outcome,
    cell: ({ outcome }) => (
      <Badge variant="light" color={outcome === 'refused' ? 'red' : 'bottle'}>
        {texts.signIns.outcomes[outcome] ?? outcome}
      </Badge>
    ),
  },
  { name: texts.signIns.columns.address, cell: ({ address }) => <span className="mono">{address}</span> },
  { name: texts.signIns.columns.when, cell: ({ at }) => <Moment at={at} /> },
]
