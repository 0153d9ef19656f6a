import { Badge } from '@mantine/core'
import type { Endpoint } from '../../../../server/src/webhooks/schema.ts'
import { webhookTexts as words } from '../../texts/texts.ts'

const COLORS: Readonly<Record<string, string>> = { active: 'bottle', failing: 'yellow', disabled: 'red' }

export const State = ({ endpoint: { state } }: { endpoint: Endpoint }) => (
  <Badge
    variant="light"
    color={COLORS[state] ?? 'gray'}
    className={COLORS[state] === 'yellow' ? 'badge-test' : undefined}
  >
    {words.states[state] ?? state}
  </Badge>
)
