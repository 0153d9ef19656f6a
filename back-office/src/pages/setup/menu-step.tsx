import { Alert, Button, Group, Input, NativeSelect, Radio, Text } from '@mantine/core'
import { useState } from 'react'
import { language, nameOfLanguage } from '../../texts/language.ts'
import { setupTexts } from '../../texts/office/setup.ts'
import { menuTexts } from '../../texts/screens/menu.ts'
import { type FileFault, readSheet } from '../menu/sheet/read-sheet.ts'
import { downloadSample } from '../menu/sheet/sample.ts'
import { SheetFault } from '../menu/sheet/sheet-fault.tsx'
import { type Draft, isStarter, menuLanguageIn } from './draft.ts'
import { SPOKEN, type StepProps } from './step.ts'

const words = setupTexts
const MENUS: readonly [Draft['menu'], string, string][] = [
  ['cafe', words.cafe, words.cafeLead],
  ['restaurant', words.restaurant, words.restaurantLead],
  ['file', words.file, words.fileLead],
  ['empty', words.empty, words.emptyLead],
]

/** Step 3: what there is to sell on the first day. */
export function MenuStep(props: StepProps) {
  const { draft, change, problem } = props
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
      {draft.menu === 'file' && <SheetChoice {...props} />}
      {isStarter(draft.menu) && (
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

/** A spreadsheet is read here, and sent with everything else; what is wrong in it is said line by line. */
function SheetChoice({ draft: { file }, change, problem, faults }: StepProps) {
  const [fault, setFault] = useState<FileFault>()
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return
    const read = await readSheet(chosen)
    setFault('fault' in read ? read.fault : undefined)
    change({ file: 'fault' in read ? undefined : { name: chosen.name, text: read.text } })
  }
  return (
    <>
      <Input.Wrapper
        label={words.chooseFile}
        description={words.chooseFileHint}
        error={fault ? menuTexts.sheet.faults[fault] : faults.length === 0 && problem('menu.file')}
      >
        <Input
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          required={!file}
          onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
        />
      </Input.Wrapper>
      <Group mt="xs">
        {file && <Text size="sm">{words.fileChosen(file.name)}</Text>}
        <Button size="xs" variant="subtle" onClick={downloadSample}>
          {menuTexts.sheet.getSample}
        </Button>
      </Group>
      {faults.length > 0 && (
        <Alert color="red" role="alert" title={menuTexts.sheet.wrong(faults.length)}>
          <ul>
            {faults.map((each) => (
              <li key={`${each.line} ${each.column} ${each.message}`}>
                <SheetFault of={each} />
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </>
  )
}
