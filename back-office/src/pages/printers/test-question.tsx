import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Printer } from '../../../../server/src/resources/places/printers.ts'
import { api, queries } from '../../api.ts'
import { Failure } from '../../components/layout/states.tsx'
import { printerTexts as words } from '../../texts/printing/printers.ts'
import { LINES, settingFor } from './readable.ts'

const FORM = { resource: 'printers', single: false }

/** R17: which lines of its test page can be read, and from that its code page or its mode. */
export function TestQuestion({ venue, printer }: { venue: number; printer: number }) {
  const client = useQueryClient()
  const [readable, setReadable] = useState<string[]>([])
  const set = useMutation({
    async mutationFn() {
      const { data } = await client.fetchQuery({ ...queries.editedRow(FORM, printer, venue), staleTime: 0 })
      const now = data.values as Pick<Printer, 'mode' | 'code_page'>
      const next = settingFor(new Set(readable), now)
      if (!next) return words.notReadable
      if (next === now) return words.allReadable
      const body = { mode: next.mode, code_page: next.code_page }
      await api.changeRow(FORM, printer, body, { key: crypto.randomUUID(), venue, version: data.version })
      await client.invalidateQueries({ queryKey: ['edited-row', FORM.resource, printer] })
      return next.mode === 'raster' ? words.setToPictures : words.setToPage(next.code_page)
    },
  })
  return (
    <section className="printer-section">
      <Stack gap="xs" align="flex-start">
        <Checkbox.Group label={words.question} description={words.questionLead} value={readable} onChange={setReadable}>
          <Group mt="xs" gap="md">
            {LINES.map((line) => (
              <Checkbox key={line} value={line} label={line} />
            ))}
          </Group>
        </Checkbox.Group>
        <Button variant="default" loading={set.isPending} onClick={() => set.mutate()}>
          {words.setPrinter}
        </Button>
        {set.error && <Failure error={set.error} />}
        {set.data && <Alert role="status">{set.data}</Alert>}
      </Stack>
    </section>
  )
}
