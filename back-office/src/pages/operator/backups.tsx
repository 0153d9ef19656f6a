import { Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Backups as BackupsAnswer } from '../../../../server/src/back-office/schema.ts'
import { api, backupHref, queries } from '../../api.ts'
import { Facts } from '../../components/data/details.tsx'
import { type Column, Rows } from '../../components/data/rows.tsx'
import { Ask, PasswordAgain } from '../../components/dialogs.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Failure, Loaded } from '../../components/layout/states.tsx'
import { shownInstant, When } from '../../components/when.tsx'
import { operatorTexts } from '../../texts/office/operator.ts'
import { LOCALE } from '../../texts/texts.ts'

const words = operatorTexts.backups

type Known = NonNullable<BackupsAnswer['backups']>
type Copy = Known['copies'][number]

/** Copies of the embedded database: the last one, one more, and a file to take away. */
export function Backups() {
  const query = useQuery(queries.backups)
  return (
    <Page title={words.title} lead={words.lead}>
      <Loaded query={query}>
        {({ backups }) =>
          backups ? <Shown {...backups} /> : <Empty title={words.postgres} lead={words.postgresLead} />
        }
      </Loaded>
    </Page>
  )
}

function Shown({ folder, every_ms, keep, running, made_at, failed, copies }: Known) {
  const client = useQueryClient()
  const [chosen, choose] = useState<Copy>()
  const making = useMutation({
    mutationFn: api.backUp,
    onSettled: () => client.invalidateQueries(queries.backups),
  })
  const every = every_ms === null ? words.notScheduled : words.every(every_ms / 60_000)
  return (
    <Stack gap="xl">
      <Facts
        facts={[
          [words.last, <When key="last" at={made_at} />],
          [words.schedule, every],
          [
            words.folder,
            <span key="folder" className="mono wraps">
              {folder}
            </span>,
          ],
          [words.keep, keep.toLocaleString(LOCALE)],
        ]}
      />
      {failed && (
        <Text role="status" c="red">
          {words.failed(shownInstant(failed.at), words.reasons[failed.reason] ?? words.reasons.other!)}
        </Text>
      )}
      {making.error && <Failure error={making.error} />}
      <div>
        <Button loading={making.isPending} disabled={running} onClick={() => making.mutate()}>
          {running ? words.running : words.now}
        </Button>
      </div>
      {copies.length === 0 ? (
        <Empty title={words.empty} lead={words.emptyLead} />
      ) : (
        <Rows caption={words.title} columns={columns(choose)} rows={copies} keyOf={({ name }) => name} />
      )}
      {chosen && <Download copy={chosen} onClose={() => choose(undefined)} />}
    </Stack>
  )
}

const columns = (choose: (copy: Copy) => void): Column<Copy>[] => [
  { name: words.columns.name, wide: true, cell: ({ name }) => <span className="mono">{name}</span> },
  { name: words.columns.at, cell: ({ at }) => <When at={at} /> },
  {
    name: words.columns.size,
    cell: ({ bytes }) => words.mib((bytes / 2 ** 20).toLocaleString(LOCALE, { maximumFractionDigits: 1 })),
  },
  {
    name: words.columns.actions,
    actions: true,
    cell: (copy) => (
      <Button size="compact-sm" variant="default" onClick={() => choose(copy)}>
        {words.download}
      </Button>
    ),
  },
]

function Download({ copy: { name }, onClose }: { copy: Copy; onClose: () => void }) {
  return (
    <Ask
      title={words.dialog(name)}
      lead={words.warning}
      submit={words.download}
      run={({ password = '' }) => api.backupTicket(name, password)}
      onDone={({ ticket }) => {
        save(backupHref(ticket), name)
        onClose()
      }}
      onClose={onClose}
    >
      <PasswordAgain autofocus />
    </Ask>
  )
}

/** The browser saves it as it comes: a page that held it would need as much memory. */
function save(href: string, name: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}
