import { Badge, Button, Group, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { DRAFT } from '../../../../server/src/values/states.ts'
import { api } from '../../api.ts'
import { Details, Facts, OpenDetails } from '../../components/data/details.tsx'
import { type Column, Rows } from '../../components/data/rows.tsx'
import { Confirm } from '../../components/dialogs.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { money, number, unitCost } from '../../components/reports/figures.ts'
import { tell } from '../../components/tell.ts'
import { Moment } from '../../components/when.tsx'
import { refetchLive } from '../../live/use-live.ts'
import { dataTexts } from '../../texts/office/data.ts'
import { stockTexts } from '../../texts/screens/stock.ts'
import { documentsOf, nameOf, productsOf, type StockDocument } from './stock-data.ts'

const words = stockTexts
type Act = 'publish' | 'reverse' | 'discard'

/** Deliveries, waste, transfers and counts: drafts are booked or deleted, booked ones reversed. */
export function Documents({ venue, mayWrite }: { venue: number; mayWrite: boolean }) {
  const query = useQuery(documentsOf(venue))
  const [opened, open] = useState<number>()
  const [act, choose] = useState<Act>()
  const documents = query.data?.data ?? []
  const document = documents.find(({ id }) => id === opened)
  const isReversed = ({ id }: StockDocument) => documents.some(({ reverses_id }) => reverses_id === id)
  const columns: Column<StockDocument>[] = [
    { name: words.documentColumns.document, cell: (row) => <strong>{nameOf(row)}</strong> },
    { name: words.documentColumns.date, cell: ({ document_date }) => <Moment at={document_date} /> },
    {
      name: words.documentColumns.status,
      cell: (row) => <Badge variant="default">{isReversed(row) ? words.reversed : words.status[row.status]}</Badge>,
    },
    { name: words.documentColumns.items, number: true, cell: ({ items_count }) => number(items_count) },
    { name: words.documentColumns.value, number: true, cell: ({ total_cost }) => money(total_cost) },
    {
      name: dataTexts.actions,
      actions: true,
      cell: (row) => <OpenDetails label={words.detailsOf(nameOf(row))} onClick={() => open(row.id)} />,
    },
  ]
  return (
    <>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={words.noDocuments} lead={words.noDocumentsLead} />
          ) : (
            <Rows caption={words.documents} columns={columns} rows={data} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      <Details title={document && !act ? nameOf(document) : undefined} onClose={() => open(undefined)}>
        {document && (
          <Stack gap="lg">
            <DocumentFacts venue={venue} document={document} documents={documents} />
            {mayWrite && (
              <Group justify="space-between">
                {document.status === DRAFT ? (
                  <>
                    <Button size="lg" variant="default" onClick={() => choose('discard')}>
                      {words.discard}
                    </Button>
                    <Button size="lg" onClick={() => choose('publish')}>
                      {words.publish}
                    </Button>
                  </>
                ) : (
                  <Button
                    size="lg"
                    variant="default"
                    disabled={isReversed(document) || document.reverses_id !== undefined}
                    onClick={() => choose('reverse')}
                  >
                    {words.reverse}
                  </Button>
                )}
              </Group>
            )}
          </Stack>
        )}
      </Details>
      {document && act && (
        <AskAct
          key={`${act} ${document.id}`}
          venue={venue}
          act={act}
          document={document}
          onClose={() => choose(undefined)}
        />
      )}
    </>
  )
}

const WORDS = {
  publish: { title: words.publishTitle, lead: words.publishLead, action: words.publish },
  reverse: { title: words.reverseTitle, lead: words.reverseLead, action: words.reverse },
  discard: { title: words.discardTitle, lead: words.discardLead, action: words.discard },
} as const

/** What moves the stock is asked once, and its key is made with the question. */
function AskAct({
  venue,
  act,
  document,
  onClose,
}: {
  venue: number
  act: Act
  document: StockDocument
  onClose: () => void
}) {
  const client = useQueryClient()
  const key = useRef(crypto.randomUUID() as string)
  const { title, lead, action } = WORDS[act]
  const run = async () => {
    const sent = { key: key.current, venue }
    if (act === 'discard') await api.act('DELETE', `/operations/${document.id}`, undefined, sent)
    else {
      const { data } = await api.act<{ data: StockDocument }>('POST', `/operations/${document.id}/${act}`, {}, sent)
      tell(words.done(nameOf(data)))
    }
    if (act === 'discard') tell(words.discarded)
    for (const kind of ['stock', 'documents'] as const) await refetchLive(client, venue, kind)
  }
  return (
    <Confirm title={title(nameOf(document))} action={action} danger={act === 'discard'} run={run} onClose={onClose}>
      {lead}
    </Confirm>
  )
}

function DocumentFacts({
  venue,
  document,
  documents,
}: {
  venue: number
  document: StockDocument
  documents: readonly StockDocument[]
}) {
  const { data } = useQuery(productsOf(venue))
  const productOf = (id: number) => data?.data.find((product) => product.id === id)
  const undone = documents.find(({ id }) => id === document.reverses_id)
  const items = document.items ?? []
  const isCount = items.some(({ counted }) => counted !== undefined)
  const columns: Column<(typeof items)[number]>[] = [
    { name: words.itemColumns.product, cell: ({ product_id }) => productOf(product_id)?.name ?? product_id },
    ...(isCount
      ? [
          {
            name: words.itemColumns.counted,
            number: true as const,
            cell: ({ counted }: (typeof items)[number]) => (counted === undefined ? undefined : number(counted)),
          },
        ]
      : []),
    {
      name: words.itemColumns.quantity,
      number: true,
      cell: ({ quantity, product_id }) => `${number(quantity)} ${productOf(product_id)?.unit ?? ''}`,
    },
    { name: words.itemColumns.cost, number: true, cell: ({ cost }) => unitCost(cost) },
    { name: words.itemColumns.value, number: true, cell: ({ total_cost }) => money(total_cost) },
  ]
  return (
    <>
      <Facts
        facts={[
          [words.documentColumns.date, <Moment key="date" at={document.document_date} />],
          [words.documentColumns.status, words.status[document.status]],
          [words.supplier, document.supplier?.name],
          [words.description, document.description],
          [words.reversed, undone && words.reverses(nameOf(undone))],
          [words.documentColumns.value, money(document.total_cost)],
        ]}
      />
      <Rows caption={words.documentColumns.items} columns={columns} rows={items} keyOf={({ id }) => id} />
    </>
  )
}
