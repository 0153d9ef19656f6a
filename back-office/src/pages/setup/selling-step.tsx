import { Checkbox, Text, TextInput } from '@mantine/core'
import { setupTexts } from '../../texts/office/setup.ts'
import type { StepProps } from './step.ts'

const words = setupTexts
const MAX_TABLES = 200

/** Step 2: how the restaurant sells. */
export function SellingStep({ draft, change, problem }: StepProps) {
  const { counter, tables, delivery, tableCount } = draft
  const isNothing = !counter && !tables && !delivery
  const count = Number(tableCount)
  return (
    <fieldset className="setup-choices" aria-describedby="selling-hint">
      <Text component="legend" fw={600} mb="xs">
        {words.selling}
      </Text>
      <Text size="sm" className="quiet" id="selling-hint">
        {words.sellingLead} {words.sellMade}
      </Text>
      <div className="setup-choice">
        <Checkbox
          label={words.counter}
          description={words.counterLead}
          checked={counter}
          onChange={({ currentTarget }) => change({ counter: currentTarget.checked })}
          required={isNothing}
          error={problem('selling')}
        />
      </div>
      <div className="setup-choice">
        <Checkbox
          label={words.tables}
          description={words.tablesLead}
          checked={tables}
          onChange={({ currentTarget }) => change({ tables: currentTarget.checked })}
        />
        {tables && (
          <div className="more">
            <TextInput
              label={words.tableCount}
              description={count >= 1 && count <= MAX_TABLES ? words.tableCountHint(`T${count}`) : undefined}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              type="number"
              min={1}
              max={MAX_TABLES}
              value={tableCount}
              onChange={({ currentTarget }) => change({ tableCount: currentTarget.value })}
              error={problem('selling.tables')}
              maw="12rem"
              required
            />
          </div>
        )}
      </div>
      <div className="setup-choice">
        <Checkbox
          label={words.delivery}
          description={words.deliveryLead}
          checked={delivery}
          onChange={({ currentTarget }) => change({ delivery: currentTarget.checked })}
        />
      </div>
      {isNothing && <Text size="sm">{words.sellNothing}</Text>}
    </fieldset>
  )
}
