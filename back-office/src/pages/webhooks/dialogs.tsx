import './webhooks.css'
import { Alert, Button, CopyButton, Input, NativeSelect, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useState } from 'react'
import type { ShownCredential } from '../../../../server/src/back-office/schema.ts'
import type { FieldProblem } from '../../../../server/src/http/errors.ts'
import type { Endpoint, Replay } from '../../../../server/src/webhooks/schema.ts'
import { api, fieldProblems, queries } from '../../api.ts'
import { Ask, Handover } from '../../components/dialogs.tsx'
import { ExactInput } from '../../components/fields.tsx'
import { Loaded } from '../../components/layout/states.tsx'
import { problemText } from '../../components/refusal.tsx'
import { tell } from '../../components/tell.ts'
import { webhookTexts as words } from '../../texts/integrations/webhooks.ts'
import { texts } from '../../texts/texts.ts'
import { everyWebhook, optionsOf } from './webhook-data.ts'

interface AboutEndpoint {
  endpoint: Endpoint
  onClose: () => void
}

/** `receipt.* product.updated`: names with spaces or commas between them; none is all. */
const typesIn = (text = '') => {
  const names = text.split(/[\s,]+/).filter(Boolean)
  return names.length === 0 ? ['*'] : names
}

/** Sends, and keeps what a refusal says of each field. */
function useProblems() {
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  return {
    problemOf(name: string) {
      const problem = problems.find(({ field }) => field === name)
      return problem && problemText(problem)
    },
    async noting<Answer>(answer: Promise<Answer>): Promise<Answer> {
      setProblems([])
      return answer.catch((error: unknown) => {
        setProblems(fieldProblems(error))
        throw error
      })
    },
  }
}
type ProblemOf = ReturnType<typeof useProblems>['problemOf']

const Tick = ({ label, ...input }: ComponentProps<'input'> & { label: string }) => (
  <label className="tick">
    <input type="checkbox" {...input} />
    {label}
  </label>
)

/** What both a new endpoint and a changed one are asked. */
function chosenIn({ name = '', url = '', types, payload = 'thin', skip_own }: Record<string, string>) {
  return { name: name.trim(), url: url.trim(), types: typesIn(types), payload, skip_own: skip_own !== undefined }
}

const TypesInput = ({
  types = ['*'],
  label = words.types,
  problem,
}: {
  types?: readonly string[]
  label?: string
  problem?: string | undefined
}) => (
  <ExactInput
    name="types"
    label={label}
    description={words.typesHint}
    defaultValue={types.join(' ')}
    required={false}
    error={problem}
  />
)

function Choices({
  endpoint,
  problemOf,
  children,
  venues,
  onVenues,
}: {
  endpoint?: Endpoint
  problemOf: ProblemOf
  children?: ReactNode
  venues: readonly number[]
  onVenues: (venues: number[]) => void
}) {
  const { data } = useSuspenseQuery(queries.forms)
  const all = data.data.venues
  return (
    <>
      <TextInput name="name" label={words.name} defaultValue={endpoint?.name} maxLength={64} required data-autofocus />
      <ExactInput
        name="url"
        type="url"
        label={words.url}
        description={endpoint ? words.newUrlHint : words.urlHint}
        defaultValue={endpoint?.url}
        maxLength={2048}
        error={problemOf('url')}
      />
      {children}
      <TypesInput problem={problemOf('types')} {...(endpoint && { types: endpoint.types })} />
      {all.length > 1 && (
        <Input.Wrapper label={words.venues} description={words.venuesHint} labelElement="div" role="group">
          <div className="ticks">
            {all.map(({ id, name }) => (
              <Tick
                key={id}
                label={name}
                checked={venues.includes(id)}
                onChange={({ currentTarget }) =>
                  onVenues(currentTarget.checked ? [...venues, id] : venues.filter((other) => other !== id))
                }
              />
            ))}
          </div>
        </Input.Wrapper>
      )}
      <NativeSelect
        name="payload"
        label={words.payload}
        data={optionsOf(words.payloads)}
        defaultValue={endpoint?.payload}
      />
      <Tick name="skip_own" label={words.skipOwn} defaultChecked={endpoint?.skip_own ?? false} />
    </>
  )
}

const isOn = ({ enabled }: ShownCredential) => enabled

export function NewEndpointDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void
  onCreated: (secret: string) => void
}) {
  const client = useQueryClient()
  const query = useQuery(queries.credentials)
  const { problemOf, noting } = useProblems()
  const [venues, setVenues] = useState<number[]>([])
  return (
    <Ask
      title={words.newTitle}
      lead={words.newLead}
      submit={words.create}
      size="lg"
      run={({ client_id, integrator_id = '', from, ...given }) =>
        noting(
          api.webhook<Endpoint>('POST', '', {
            ...chosenIn(given),
            client_id,
            integrator_id: integrator_id.trim(),
            from,
            ...(venues.length > 0 && { venues }),
          }),
        )
      }
      onDone={({ data: { secret = '' } }) => {
        void client.invalidateQueries(everyWebhook)
        onCreated(secret)
      }}
      onClose={onClose}
    >
      <Choices problemOf={problemOf} venues={venues} onVenues={setVenues}>
        <Loaded query={query}>
          {({ credentials }) =>
            !credentials.some(isOn) ? (
              <Alert color="yellow">{words.noCredential}</Alert>
            ) : (
              <NativeSelect
                name="client_id"
                label={words.credential}
                data={credentials.filter(isOn).map(({ client_id, name, user }) => ({
                  value: client_id,
                  label: `${name}, ${user.name}`,
                }))}
              />
            )
          }
        </Loaded>
        <ExactInput
          name="integrator_id"
          label={words.integrator}
          description={words.integratorHint}
          maxLength={64}
          error={problemOf('integrator_id')}
        />
      </Choices>
      <NativeSelect name="from" label={words.from} data={optionsOf(words.froms)} />
    </Ask>
  )
}

export function EditEndpointDialog({ endpoint, onClose }: AboutEndpoint) {
  const client = useQueryClient()
  const { problemOf, noting } = useProblems()
  const [venues, setVenues] = useState<number[]>(endpoint.venues ?? [])
  return (
    <Ask
      title={words.editTitle(endpoint.name)}
      submit={words.save}
      size="lg"
      run={(given) => noting(api.webhook('PATCH', `/${endpoint.id}`, { ...chosenIn(given), venues }))}
      onDone={() => {
        tell(words.saved)
        void client.invalidateQueries(everyWebhook)
        onClose()
      }}
      onClose={onClose}
    >
      <Choices endpoint={endpoint} problemOf={problemOf} venues={venues} onVenues={setVenues} />
    </Ask>
  )
}

export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Handover title={words.secretTitle} lead={words.secretLead} onClose={onClose}>
      <div className="field-value">
        <span className="mono" data-value={words.secret}>
          {secret}
        </span>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {copied ? texts.copied : texts.copy}
            </Button>
          )}
        </CopyButton>
      </div>
      <Text size="sm" className="quiet">
        {words.secretLater}
      </Text>
    </Handover>
  )
}

export function RotateDialog({
  endpoint: { id, name },
  onClose,
  onRotated,
}: AboutEndpoint & { onRotated: (secret: string) => void }) {
  return (
    <Ask
      title={words.rotateTitle(name)}
      lead={words.rotateLead}
      submit={words.rotateSubmit}
      run={({ overlap_s }) => api.webhook<Endpoint>('POST', `/${id}/secret`, { overlap_s: Number(overlap_s) })}
      onDone={({ data: { secret = '' } }) => onRotated(secret)}
      onClose={onClose}
    >
      <NativeSelect
        name="overlap_s"
        label={words.overlap}
        data={words.overlaps.map(([value, label]) => ({ value, label }))}
        data-autofocus
      />
    </Ask>
  )
}

/** Reasons for which there is no going on from where it stopped. */
const LOST_PLACE = ['feed_diverged', 'cursor_expired']

export function ResumeDialog({ endpoint: { id, name, reason = '' }, onClose }: AboutEndpoint) {
  const client = useQueryClient()
  const { stopped, ...others } = words.resumeChoices
  const choices = LOST_PLACE.includes(reason) ? others : { stopped, ...others }
  return (
    <Ask
      title={words.resumeTitle(name)}
      lead={words.resumeLead}
      submit={words.resume}
      run={({ from }) => api.webhook('POST', `/${id}/resume`, from === 'stopped' ? {} : { from })}
      onDone={() => {
        tell(words.resumed)
        void client.invalidateQueries(everyWebhook)
        onClose()
      }}
      onClose={onClose}
    >
      <NativeSelect name="from" label={words.resumeFrom} data={optionsOf(choices)} data-autofocus />
    </Ask>
  )
}

const RANGE_MS: Readonly<Record<string, number>> = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 }

export function ReplayDialog({ endpoint: { id, types }, onClose }: AboutEndpoint) {
  const client = useQueryClient()
  return (
    <Ask
      title={words.replayTitle}
      lead={words.replaysLead}
      submit={words.replaySubmit}
      run={({ range = '', types: named, failed_only }) => {
        const ms = RANGE_MS[range]
        return api.webhook<Replay>('POST', `/${id}/replays`, {
          ...(ms === undefined ? { after: 'oldest' } : { since: new Date(Date.now() - ms).toISOString() }),
          types: typesIn(named),
          failed_only: failed_only !== undefined,
        })
      }}
      onDone={() => {
        tell(words.replayStarted)
        void client.invalidateQueries(everyWebhook)
        onClose()
      }}
      onClose={onClose}
    >
      <NativeSelect name="range" label={words.replayRange} data={optionsOf(words.replayRanges)} data-autofocus />
      <TypesInput types={types} label={words.replayTypes} />
      <Tick name="failed_only" label={words.replayFailed} />
    </Ask>
  )
}
