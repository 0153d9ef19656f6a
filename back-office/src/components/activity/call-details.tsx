import { Stack, Text } from '@mantine/core'
import type { LoggedCall } from '../../../../server/src/back-office/activity/schema.ts'
import { inZone } from '../../texts/clock.ts'
import { activityTexts, requestTexts } from '../../texts/integrations/activity.ts'
import { LOCALE } from '../../texts/texts.ts'
import { CopyBlock } from '../copy.tsx'
import { Details, Facts } from '../data/details.tsx'
import { Named } from '../data/rows.tsx'
import { Status } from '../status.tsx'

const exact = inZone({
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
})

/** All that is known of one call, and how to make it again. */
export function CallDetails({ call, onClose }: { call: LoggedCall | undefined; onClose: () => void }) {
  return (
    <Details title={call && `${call.method} ${call.route}`} onClose={onClose}>
      {call && (
        <Stack>
          <Facts facts={factsOf(call)} />
          {call.route === 'unknown' ? (
            <Text size="sm" className="quiet">
              {requestTexts.noCurl}
            </Text>
          ) : (
            <div>
              <CopyBlock label={requestTexts.curl} text={curlOf(call)} />
              <Text size="xs" className="quiet" mt={4}>
                {requestTexts.curlHint}
              </Text>
            </div>
          )}
        </Stack>
      )}
    </Details>
  )
}

function factsOf(call: LoggedCall) {
  const words = requestTexts.members
  const shown = (count: number) => count.toLocaleString(LOCALE)
  const named = (name: string | null, id: string | null) => id && <Named name={name ?? id} id={id} />
  return [
    [words.at, exact(call.at)],
    [words.request_id, <Mono key="id" text={call.request_id} />],
    [words.method, <Mono key="method" text={call.method} />],
    [words.route, <Mono key="route" text={call.route} />],
    [words.status, <Status key="status" status={call.status} error={null} />],
    [words.error, call.error && <Mono key="error" text={call.error} />],
    [words.took, activityTexts.ms(call.ms.toLocaleString(LOCALE))],
    [words.brand, call.brand && <Mono key="brand" text={call.brand} />],
    [words.integrator, named(call.integrator, call.integrator_id)],
    [words.credential, named(call.credential, call.client_id)],
    [words.venue_id, call.venue_id],
    [words.tier, requestTexts.tiers[call.tier] ?? call.tier],
    [words.budget, requestTexts.left(shown(call.remaining), shown(call.limit))],
  ] as const
}

const Mono = ({ text }: { text: string }) => <span className="mono">{text}</span>

/** The route's pattern stands for the path, and a variable of the shell for the token: neither value is kept. */
function curlOf({ method, route, venue_id }: Pick<LoggedCall, 'method' | 'route' | 'venue_id'>): string {
  const path = route.replaceAll(/:(\w+)/g, '{$1}')
  const words = [
    `curl -s ${method === 'HEAD' ? '--head' : `-X ${method}`} '${location.origin}${path}'`,
    ...(path.endsWith('/auth') ? [] : ['-H "x-token: $TOKEN"']),
    ...(venue_id === null ? [] : [`-H 'x-venue: ${venue_id}'`]),
    ...(method === 'POST' ? [`-H 'content-type: application/json'`, '-d @body.json'] : []),
  ]
  return words.join(' \\\n  ')
}
