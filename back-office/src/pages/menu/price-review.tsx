import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries, Refused } from '../../api.ts'
import { amount } from '../../components/data/data-cells.tsx'
import { isFarAbove } from '../../components/data/words.ts'
import { Dialog } from '../../components/dialogs.tsx'
import { sentence } from '../../components/refusal.tsx'
import { tell } from '../../components/tell.ts'
import { formTexts } from '../../texts/office/forms.ts'
import { menuTexts } from '../../texts/screens/menu.ts'

const words = menuTexts

/** A price that was typed in a list. */
export interface PriceChange {
  readonly id: number
  readonly name: string
  readonly from: number | undefined
  readonly to: number | string | null
}

const shown = (price: PriceChange['to'] | undefined) =>
  typeof price === 'number' ? amount(price) : (price ?? formTexts.none)

/** Below what is to be looked at: back to typing, or saved. */
export const ReviewButtons = ({
  isSaving,
  onBack,
  onSave,
}: {
  isSaving: boolean
  onBack: () => void
  onSave: () => void
}) => (
  <Group justify="flex-end" gap="sm">
    <Button variant="default" onClick={onBack}>
      {formTexts.back}
    </Button>
    <Button loading={isSaving} onClick={onSave} data-autofocus>
      {formTexts.save}
    </Button>
  </Group>
)

/** What changes, from and to; prices that are far above the ones before are marked. */
export const PriceChanges = ({ changes }: { changes: readonly PriceChange[] }) => (
  <dl className="changes">
    {changes.map(({ id, name, from, to }) => (
      <div key={id}>
        <dt>{name}</dt>
        <dd className="change">
          <del>{shown(from)}</del> <span aria-hidden>→ </span>
          <ins>{shown(to)}</ins>
          {isFarAbove(from, to) && <strong> {formTexts.farPrice}</strong>}
        </dd>
      </div>
    ))}
  </dl>
)

/** Products' own prices, looked at once more and saved one by one: one that somebody else changed meanwhile is left alone. */
export function PriceReview({
  changes,
  onSaved,
  onClose,
}: {
  changes: readonly PriceChange[]
  onSaved: () => void
  onClose: () => void
}) {
  const client = useQueryClient()
  const form = useQuery(queries.forms).data?.data.forms.find(({ resource }) => resource === 'products')
  const [failed, setFailed] = useState<readonly { name: string; why: string }[]>([])
  const [ruled, setRuled] = useState<readonly string[]>([])
  const save = useMutation({
    async mutationFn() {
      const problems: { name: string; why: string }[] = []
      const elsewhere: string[] = []
      for (const { id, name, from, to } of changes)
        try {
          const { data } = await queries.editedRow(form!, id, undefined).queryFn!({} as never)
          if ((data.values.price ?? undefined) !== from) throw new Error(formTexts.stale)
          await api.changeRow(
            form!,
            id,
            { price: to },
            { key: crypto.randomUUID(), venue: undefined, version: data.version },
          )
          if ((data.price_lists ?? []).length > 0)
            elsewhere.push(words.prices.ruledBy(name, data.price_lists!.map((list) => list.name).join(', ')))
        } catch (error) {
          problems.push({ name, why: error instanceof Refused ? sentence(error) : (error as Error).message })
        }
      await client.invalidateQueries()
      return { problems, elsewhere }
    },
    onSuccess({ problems, elsewhere }) {
      onSaved()
      setFailed(problems)
      setRuled(elsewhere)
      tell(words.pricesSaved(changes.length - problems.length))
      if (problems.length + elsewhere.length === 0) onClose()
    },
  })
  return (
    <Dialog title={words.reviewPrices} onClose={onClose} size="lg" closeOnClickOutside={false}>
      <Stack>
        {save.data ? (
          <>
            {failed.length > 0 && (
              <Alert color="red" role="alert" title={words.notSaved}>
                {failed.map(({ name, why }) => (
                  <div key={name}>
                    {name}: {why}
                  </div>
                ))}
              </Alert>
            )}
            {ruled.length > 0 && (
              <Alert color="yellow" className="price-alert" title={words.prices.notAtTill}>
                {ruled.map((line) => (
                  <div key={line}>{line}</div>
                ))}
              </Alert>
            )}
            <Group justify="flex-end">
              <Button onClick={onClose}>{words.close}</Button>
            </Group>
          </>
        ) : (
          <>
            <Text size="sm" className="quiet">
              {formTexts.reviewLead}
            </Text>
            <PriceChanges changes={changes} />
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={onClose}>
                {formTexts.back}
              </Button>
              <Button loading={save.isPending} disabled={!form} onClick={() => save.mutate()} data-autofocus>
                {formTexts.save}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Dialog>
  )
}
