import { ActionIcon, CopyButton, Input, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { texts } from '../texts/texts.ts'

function Copy({ value, what }: { value: string; what: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? texts.copied : texts.copy}>
          <ActionIcon className="copy" variant="default" size="md" onClick={copy} aria-label={`${texts.copy}: ${what}`}>
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}

/** A value to carry elsewhere, under its name; `shown` where reading it is easier in another form. */
export function CopyField({ label, value, shown = value }: { label: string; value: string; shown?: string }) {
  return (
    <div>
      <Input.Label component="div">{label}</Input.Label>
      <div className="field-value">
        <span className="mono" data-value={label}>
          {shown}
        </span>
        <Copy value={value} what={label} />
      </div>
    </div>
  )
}

export function CopyBlock({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <Input.Label component="div">{label}</Input.Label>
      <pre className="code-block">
        {text}
        <Copy value={text} what={label} />
      </pre>
    </div>
  )
}
