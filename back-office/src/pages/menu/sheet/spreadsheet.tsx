import '../menu.css'
import '../../../forms/forms.css'
import { Alert, Button, FileButton, Group, Stack, Table, Text, Title } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { MenuPlan } from '../../../../../server/src/menu/spreadsheet/plan.ts'
import { api, Refused } from '../../../api.ts'
import { Page } from '../../../components/layout/page.tsx'
import { Failure } from '../../../components/layout/states.tsx'
import { tell } from '../../../components/tell.ts'
import { formTexts } from '../../../texts/office/forms.ts'
import { menuTexts } from '../../../texts/screens/menu.ts'
import { MenuPages } from '../menu-pages.tsx'
import { type FileFault, readSheet } from './read-sheet.ts'
import { downloadSample } from './sample.ts'
import { SheetFault } from './sheet-fault.tsx'

const words = menuTexts.sheet

interface Chosen {
  readonly name: string
  readonly text: string
}

/** The menu as a file: downloaded, changed elsewhere, looked at and imported, all of it or nothing. */
export function Spreadsheet() {
  return (
    <Page title={words.title} lead={words.lead}>
      <MenuPages />
      <Stack gap="xl">
        <Download />
        <Import />
      </Stack>
    </Page>
  )
}

const Download = () => (
  <section className="card panel" aria-label={words.download}>
    <Title order={2} size="h4" mb="xs">
      {words.download}
    </Title>
    <Text mb="md">{words.downloadLead}</Text>
    <Group>
      {(['', '?separator=semicolon'] as const).map((query) => (
        <Button
          key={query}
          component="a"
          href={`/back-office/api/menu-export${query}`}
          download="menu.csv"
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          {query === '' ? words.commas : words.semicolons}
        </Button>
      ))}
      <Button variant="subtle" onClick={downloadSample}>
        {words.getSample}
      </Button>
    </Group>
  </section>
)

function Import() {
  const client = useQueryClient()
  const [file, setFile] = useState<Chosen>()
  const [plan, setPlan] = useState<MenuPlan>()
  const [fault, setFault] = useState<FileFault>()
  const again = useRef<() => void>(null)
  const look = useMutation({
    mutationFn: ({ text }: Chosen) => api.sendSheet<MenuPlan>('plan', text),
    onSuccess: ({ data }) => setPlan(data),
  })
  const apply = useMutation({
    mutationFn: ({ text, plan, key }: { text: string; plan: string; key: string }) =>
      api.sendSheet<MenuPlan>(`apply?plan=${plan}`, text, key),
    async onSuccess({ data: { created, changed } }) {
      tell(words.imported(created, changed))
      setFile(undefined)
      setPlan(undefined)
      await client.invalidateQueries()
    },
    onError(error) {
      if (error instanceof Refused && error.slug === 'plan_changed') setPlan((error.details as { plan: MenuPlan }).plan)
    },
  })
  const choose = async (chosen: File | null) => {
    again.current?.() // the same file can be chosen again when it was corrected
    if (!chosen) return
    look.reset()
    apply.reset()
    setPlan(undefined)
    const read = await readSheet(chosen)
    setFault('fault' in read ? read.fault : undefined)
    if ('fault' in read) return setFile(undefined)
    const next = { name: chosen.name, text: read.text }
    setFile(next)
    look.mutate(next)
  }
  const isSound = plan?.errors.length === 0
  const count = plan ? plan.created + plan.changed : 0
  return (
    <section className="card panel" aria-label={words.upload}>
      <Title order={2} size="h4" mb="xs">
        {words.upload}
      </Title>
      <Text mb="md">{words.uploadLead}</Text>
      <Group>
        <FileButton onChange={(chosen) => void choose(chosen)} accept=".csv,.tsv,.txt,text/csv" resetRef={again}>
          {(props) => (
            <Button {...props} leftSection={<IconUpload size={16} />} loading={look.isPending}>
              {words.choose}
            </Button>
          )}
        </FileButton>
        {file && <Text className="quiet">{file.name}</Text>}
      </Group>
      <div aria-live="polite">
        {fault && (
          <Alert color="red" mt="md">
            {words.faults[fault]}
          </Alert>
        )}
        {look.error && <Failure error={look.error} />}
        {apply.error && <Failure error={apply.error} />}
        {plan && (
          <Stack mt="lg">
            <Text fw={600}>
              {count === 0 && isSound ? words.nothing : words.counts(plan.created, plan.changed, plan.unchanged)}
            </Text>
            {plan.errors.length > 0 && <Errors errors={plan.errors} />}
            {plan.categories.length > 0 && <Text>{words.newCategories(plan.categories.join(', '))}</Text>}
            {plan.rows.length > 0 && <Rows plan={plan} />}
          </Stack>
        )}
      </div>
      {plan && file && isSound && count + plan.categories.length > 0 && (
        <Group justify="flex-end" mt="md">
          <Button
            loading={apply.isPending}
            onClick={() => apply.mutate({ text: file.text, plan: plan.plan, key: crypto.randomUUID() })}
          >
            {words.apply(count)}
          </Button>
        </Group>
      )}
    </section>
  )
}

const Errors = ({ errors }: Pick<MenuPlan, 'errors'>) => (
  <Alert color="red" role="alert" title={words.wrong(errors.length)}>
    <Text size="sm" mb="xs">
      {words.wrongLead}
    </Text>
    <ul className="sheet-errors">
      {errors.map((fault) => (
        <li key={`${fault.line} ${fault.column} ${fault.message}`}>
          <SheetFault of={fault} />
        </li>
      ))}
    </ul>
  </Alert>
)

function Rows({ plan: { rows, created, changed } }: { plan: MenuPlan }) {
  const left = created + changed - rows.length
  return (
    <>
      <section className="card sheet-rows" aria-label={words.changes}>
        <Table className="price-table" stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.lineHead}</Table.Th>
              <Table.Th>{menuTexts.parts.name}</Table.Th>
              <Table.Th>{words.changes}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ line, name, action, changes }) => (
              <Table.Tr key={line}>
                <Table.Td>{line}</Table.Td>
                <Table.Td>
                  <strong>{name}</strong>
                  {action === 'create' && <div className="quiet">{words.isNew}</div>}
                </Table.Td>
                <Table.Td>
                  {changes.map(({ column, from, to }) => (
                    <div key={column} className="change">
                      <span className="quiet">{column}</span>{' '}
                      {action === 'change' && (
                        <>
                          <del>{from || formTexts.none}</del> <span aria-hidden>→ </span>
                        </>
                      )}
                      <ins>{to || formTexts.none}</ins>
                    </div>
                  ))}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {left > 0 && <Text className="quiet">{words.more(left)}</Text>}
    </>
  )
}
