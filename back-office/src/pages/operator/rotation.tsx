import { Button, Select } from '@mantine/core'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Secret, ShownCredential } from '../../../../server/src/back-office/schema.ts'
import { api, queries } from '../../api.ts'
import { credentialColumns } from '../../components/credentials/credential-columns.tsx'
import { SecretDialog } from '../../components/credentials/secret.tsx'
import { type Column, Rows } from '../../components/data/rows.tsx'
import { Ask, PasswordAgain } from '../../components/dialogs.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { shownInstant } from '../../components/when.tsx'
import { openApiTexts, secretTexts } from '../../texts/integrations/open-api.ts'
import { operatorTexts } from '../../texts/office/operator.ts'

/** §3: a secret is rotated by the operator, on request. */
export function Rotation() {
  const { brand } = useSearch({ from: '/in/operator/operator/rotation' })
  const navigate = useNavigate()
  const query = useQuery(queries.brands)
  return (
    <Page title={operatorTexts.rotation.title} lead={operatorTexts.rotation.lead}>
      <Loaded query={query}>
        {({ brands }) => (
          <Select
            mb="lg"
            maw={360}
            label={operatorTexts.rotation.brand}
            description={brand === undefined && operatorTexts.rotation.choose}
            data={brands.map(({ slug, name }) => ({ value: slug, label: `${name} (${slug})` }))}
            value={brand ?? null}
            onChange={(slug) => void navigate({ to: '/operator/rotation', search: slug ? { brand: slug } : {} })}
            searchable
          />
        )}
      </Loaded>
      {brand !== undefined && <BrandCredentials key={brand} slug={brand} />}
    </Page>
  )
}

function BrandCredentials({ slug }: { slug: string }) {
  const client = useQueryClient()
  const { data: me } = useSuspenseQuery(queries.me)
  const query = useQuery(queries.brandCredentials(slug))
  const [chosen, choose] = useState<ShownCredential>()
  const [rotated, show] = useState<{ name: string; secret: Secret }>()
  return (
    <>
      <Loaded query={query}>
        {({ credentials }) =>
          credentials.length === 0 ? (
            <Empty title={operatorTexts.rotation.empty} lead={operatorTexts.rotation.emptyLead} />
          ) : (
            <Rows
              caption={operatorTexts.rotation.title}
              columns={columns(choose)}
              rows={credentials}
              keyOf={({ client_id }) => client_id}
            />
          )
        }
      </Loaded>
      {chosen && (
        <Rotate
          slug={slug}
          credential={chosen}
          onClose={() => choose(undefined)}
          onDone={(secret) => {
            show({ name: chosen.name, secret })
            choose(undefined)
            void client.invalidateQueries(queries.brandCredentials(slug))
          }}
        />
      )}
      {rotated && (
        <SecretDialog
          title={secretTexts.title(rotated.name)}
          secret={rotated.secret}
          brand={slug}
          basePath={me.base_path}
          note={secretTexts.once}
          onClose={() => show(undefined)}
        />
      )}
    </>
  )
}

const columns = (choose: (credential: ShownCredential) => void): Column<ShownCredential>[] => [
  credentialColumns.name,
  credentialColumns.user,
  {
    name: openApiTexts.columns.status,
    cell: ({ enabled, previous_until }) => (
      <>
        <div>{enabled ? openApiTexts.on : openApiTexts.off}</div>
        {previous_until && <div className="sub wraps">{openApiTexts.overlap(shownInstant(previous_until))}</div>}
      </>
    ),
  },
  credentialColumns.created,
  credentialColumns.used,
  {
    name: openApiTexts.columns.actions,
    actions: true,
    cell: (credential) => (
      <Button size="compact-sm" variant="default" onClick={() => choose(credential)}>
        {operatorTexts.rotation.rotate}
      </Button>
    ),
  },
]

function Rotate({
  slug,
  credential: { client_id, name },
  onDone,
  onClose,
}: {
  slug: string
  credential: ShownCredential
  onDone: (secret: Secret) => void
  onClose: () => void
}) {
  const [overlap, setOverlap] = useState('3600')
  return (
    <Ask
      title={operatorTexts.rotation.dialog(name)}
      submit={operatorTexts.rotation.submit}
      run={({ password = '' }) => api.rotate(slug, client_id, { overlap_s: Number(overlap), password })}
      onDone={onDone}
      onClose={onClose}
    >
      <Select
        label={operatorTexts.rotation.overlap}
        data={operatorTexts.rotation.overlaps.map(([value, label]) => ({ value, label }))}
        value={overlap}
        onChange={(value) => value && setOverlap(value)}
        allowDeselect={false}
      />
      <PasswordAgain autofocus />
    </Ask>
  )
}
