import { NativeSelect, Radio, Text } from '@mantine/core'
import { language, nameOfLanguage } from '../../texts/language.ts'
import { setupTexts } from '../../texts/office/setup.ts'
import { type Draft, menuLanguageIn } from './draft.ts'
import { SPOKEN, type StepProps } from './step.ts'

const words = setupTexts
const MENUS: readonly [Draft['menu'], string, string][] = [
  ['cafe', words.cafe, words.cafeLead],
  ['restaurant', words.restaurant, words.restaurantLead],
  ['empty', words.empty, words.emptyLead],
]

/** Step 3: what there is to sell on the first day. */
export function MenuStep({ draft, change, problem }: StepProps) {
  return (
    <fieldset className="setup-choices" aria-describedby="menu-hint">
      <Text component="legend" fw={600} mb="xs">
        {words.menu}
      </Text>
      <Text size="sm" className="quiet" id="menu-hint">
        {words.menuLead}
      </Text>
      {MENUS.map(([menu, name, lead]) => (
        <div key={menu} className="setup-choice">
          <Radio
            name="menu"
            label={name}
            description={lead}
            value={menu}
            checked={draft.menu === menu}
            onChange={() => change({ menu })}
          />
        </div>
      ))}
      {draft.menu !== 'empty' && (
        <NativeSelect
          label={words.menuLanguage}
          data={SPOKEN.map((tag) => ({ value: tag, label: nameOfLanguage(tag) }))}
          value={menuLanguageIn(draft, SPOKEN, language)}
          onChange={({ currentTarget }) => change({ menuLanguage: currentTarget.value })}
          error={problem('menu')}
        />
      )}
    </fieldset>
  )
}
