import './activity/activity.css'
import { Text } from '@mantine/core'

const classOf = (status: number, error: string | null) =>
  status === 429 ? 'rate-limited' : status >= 500 ? 'server-errors' : status >= 400 || error ? 'client-errors' : 'ok'

/** How a call ended: the number, a mark in the colour that the chart uses and, unless `bare`, the error by its name. */
export function Status({ status, error, bare }: { status: number; error: string | null; bare?: true }) {
  return (
    <>
      <span className="status">
        <span className="swatch" data-outcome={classOf(status, error)} aria-hidden />
        {status}
      </span>
      {error && !bare && (
        <Text span className="sub block">
          {error}
        </Text>
      )}
    </>
  )
}
