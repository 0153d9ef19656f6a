import { Badge } from '@mantine/core'
import { texts } from '../../texts/texts.ts'

/** In test mode or live. A file of its own: the frame of every page has it. */
export const ModeBadge = ({ test }: { test: boolean }) => (
  <Badge size="sm" variant="light" color={test ? 'yellow' : 'bottle'} className={test ? 'badge-test' : undefined}>
    {test ? texts.test : texts.live}
  </Badge>
)
