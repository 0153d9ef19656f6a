import { Alert } from '@mantine/core'
import { texts } from '../../texts/texts.ts'

/** Says that the server does not answer. The region is always there, so that what appears in it is announced. */
export const Away = ({ online }: { online: boolean }) => (
  <div role="status">
    {!online && (
      <Alert mb="lg" color="red">
        {texts.errors.away}
      </Alert>
    )}
  </div>
)
