import { Badge } from '@mantine/core'
import { webhookTexts as words } from '../../texts/integrations/webhooks.ts'

const COLORS: Readonly<Record<string, string>> = { active: 'bottle', failing: 'yellow', disabled: 'red' }

export const State = ({ state }: { state: string }) => (
  <Badge
    variant="light"
    color={COLORS[state] ?? 'gray'}
    className={COLORS[state] === 'yellow' ? 'badge-test' : undefined}
  >
    {words.states[state] ?? state}
  </Badge>
)
