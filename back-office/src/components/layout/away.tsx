import { Alert } from '@mantine/core'
import { useUnsent } from '../../live/use-unsent.ts'
import { texts } from '../../texts/texts.ts'

/** Says that the server does not answer. The region is always there, so that what appears in it is announced. */
export function Away({ online }: { online: boolean }) {
  const unsent = useUnsent()
  return (
    <div role="status">
      {(!online || unsent > 0) && (
        <Alert mb="lg" color="red">
          {!online && texts.errors.away} {unsent > 0 && texts.notSent(unsent)}
        </Alert>
      )}
    </div>
  )
}
