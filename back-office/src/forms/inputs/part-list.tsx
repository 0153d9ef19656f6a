import { ActionIcon, Button, Fieldset, Stack, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { menuTexts } from '../../texts/screens/menu.ts'

/** Things inside another: each with its inputs, moved and removed by buttons, and one more at the end. */
export function PartList<Part extends object>({
  legend,
  hint,
  error,
  parts,
  add,
  blank,
  nameOf,
  onChange,
  children,
}: {
  legend: string
  hint?: string | undefined
  error?: string | undefined
  parts: readonly Part[]
  add: string
  blank: Part
  nameOf: (part: Part) => string
  onChange: (parts: readonly Part[]) => void
  children: (part: Part, change: (part: Partial<Part>) => void) => ReactNode
}) {
  const keys = useRef(new WeakMap<object, string>())
  const keyOf = (part: object) => {
    const known = keys.current.get(part)
    if (known) return known
    const made = crypto.randomUUID()
    keys.current.set(part, made)
    return made
  }
  const words = menuTexts.parts
  const put = (index: number, change: Partial<Part>) =>
    onChange(
      parts.map((part, at) => {
        if (at !== index) return part
        const changed = { ...part, ...change }
        keys.current.set(changed, keyOf(part)) // what is typed stays where it is
        return changed
      }),
    )
  const move = (index: number, step: 1 | -1) => {
    const next = [...parts]
    const [part] = next.splice(index, 1)
    next.splice(index + step, 0, part!)
    onChange(next)
  }
  return (
    <Fieldset legend={legend}>
      <Stack gap="sm">
        {hint && (
          <Text size="sm" className="quiet">
            {hint}
          </Text>
        )}
        {parts.length > 0 && (
          <ol className="parts">
            {parts.map((part, index) => {
              const name = nameOf(part) || String(index + 1)
              return (
                <li key={keyOf(part)}>
                  <div className="part-fields">{children(part, (change) => put(index, change))}</div>
                  <div className="part-acts">
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      disabled={index === 0}
                      aria-label={words.up(name)}
                      onClick={() => move(index, -1)}
                    >
                      <IconArrowUp size={16} />
                    </ActionIcon>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      disabled={index === parts.length - 1}
                      aria-label={words.down(name)}
                      onClick={() => move(index, 1)}
                    >
                      <IconArrowDown size={16} />
                    </ActionIcon>
                    <ActionIcon
                      variant="subtle"
                      color="red"
                      aria-label={words.remove(name)}
                      onClick={() => onChange(parts.filter((_, at) => at !== index))}
                    >
                      <IconX size={16} />
                    </ActionIcon>
                  </div>
                </li>
              )
            })}
          </ol>
        )}
        {error && (
          <Text size="sm" c="var(--mantine-color-error)" data-error>
            {error}
          </Text>
        )}
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...parts, { ...blank }])}
          >
            {add}
          </Button>
        </div>
      </Stack>
    </Fieldset>
  )
}
