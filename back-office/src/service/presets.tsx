import './service.css'
import { useQuery } from '@tanstack/react-query'
import type { NotePreset } from '../../../server/src/resources/service/note-presets.ts'
import { api } from '../api.ts'
import { serviceTexts } from '../texts/screens/service.ts'

/** T24: what waiters often write about a dish, to be tapped. One that warns of an allergy says so in a word. */
export function NotePresets({
  category,
  venue,
  onChoose,
}: {
  category: number | undefined
  venue: number
  onChoose: (preset: NotePreset) => void
}) {
  const { data } = useQuery({
    queryKey: ['note-presets', venue],
    queryFn: () => api.readInVenue<{ data: NotePreset[] }>('/note-presets', venue),
    staleTime: 60_000,
  })
  const fitting = (data?.data ?? []).filter(
    ({ category_ids }) => category_ids === undefined || (category !== undefined && category_ids.includes(category)),
  )
  if (fitting.length === 0) return null
  return (
    <fieldset>
      <legend>{serviceTexts.notes}</legend>
      <div className="till-presets">
        {fitting.map((preset) => (
          <button
            key={preset.id}
            type="button"
            className="till-key"
            data-allergy={preset.allergy === 1 || undefined}
            onClick={() => onChoose(preset)}
          >
            {preset.allergy === 1 &&
              !preset.name.toLowerCase().includes(serviceTexts.allergy.toLowerCase()) &&
              `${serviceTexts.allergy}: `}
            {preset.name}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

/** A note with one more thing in it. */
export const withPreset = (note: string, name: string): string =>
  note.split(', ').includes(name) ? note : [note.trim(), name].filter(Boolean).join(', ')
