import { Alert } from '@mantine/core'
import { useUnsent } from '../../live/outbox/use-unsent.ts'
import { texts } from '../../texts/texts.ts'

/** Says on every page what the server has not answered. The region is always there, so that what appears in it is announced. */
export function Unsent() {
  const unsent = useUnsent()
  return (
    <div role="status">
      {unsent > 0 && (
        <Alert mb="lg" color="red" title={texts.notSent(unsent)}>
          {texts.unsentLead}
        </Alert>
      )}
    </div>
  )
}
