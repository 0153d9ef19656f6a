import './setup.css'
import { Alert, Button, Loader, NativeSelect, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { SetupInfo } from '../../../../server/src/back-office/schema.ts'
import type { SheetFieldProblem } from '../../../../server/src/menu/spreadsheet/apply.ts'
import { api, fieldProblems, Refused } from '../../api.ts'
import { Failure } from '../../components/layout/states.tsx'
import icon from '../../icon.svg'
import { loadForNext } from '../../live/outbox/waiting.ts'
import { language, languages, nameOfLanguage, pickLanguage } from '../../texts/language.ts'
import { setupTexts } from '../../texts/office/setup.ts'
import { texts } from '../../texts/texts.ts'
import { useStored } from '../../use-stored.ts'
import { rememberSignIn } from '../sign-in/last-sign-in.ts'
import { rememberOpening } from '../today/welcome.ts'
import {
  type Draft,
  emptyDraft,
  likelyCountry,
  menuLanguageIn,
  plainField,
  requestOf,
  slugIn,
  stepOf,
  usernameIn,
} from './draft.ts'
import { MenuStep } from './menu-step.tsx'
import { PlaceStep } from './place-step.tsx'
import { SellingStep } from './selling-step.tsx'
import { SPOKEN, type StepProps } from './step.ts'
import { YouStep } from './you-step.tsx'

const words = setupTexts

/** Where a one-time link leads on a service without a restaurant: four steps, and nothing is stored before the last. */
export function Setup() {
  const token = useLocation({ select: ({ hash }) => hash })
  const query = useQuery({
    queryKey: ['setup', token],
    queryFn: () => api.setup(token),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => {
    document.title = `${words.title} · ${texts.product}`
  }, [])
  const spent = spentIn(query.error)
  return (
    <main className="setup">
      <header className="setup-head">
        <div className="brand-mark">
          <img src={icon} alt="" />
          {texts.product}
        </div>
        <NativeSelect
          size="xs"
          aria-label={texts.language}
          data={languages.map((tag) => ({ value: tag, label: nameOfLanguage(tag) }))}
          value={language}
          onChange={({ currentTarget }) => pickLanguage(currentTarget.value)}
        />
      </header>
      {query.isPending && <Loader aria-label={words.loading} />}
      {spent && <Spent state={spent} />}
      {query.error && !spent && <Failure error={query.error} again={() => void query.refetch()} />}
      {query.data && <Steps token={token} info={query.data} />}
    </main>
  )
}

type Spent = keyof typeof words.spent

/** Why the link is not good; undefined for any other error. */
function spentIn(error: unknown): Spent | undefined {
  if (!(error instanceof Refused) || error.slug !== 'setup_link_spent') return undefined
  return (error.details as { state?: Spent }).state ?? 'unknown'
}

const Spent = ({ state }: { state: Spent }) => (
  <>
    <Title order={1}>{words.spent[state].title}</Title>
    <Text className="quiet" mb="lg">
      {words.spent[state].lead}
    </Text>
    <Button component={Link} to="/sign-in" variant="default">
      {words.signIn}
    </Button>
  </>
)

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

function start({ countries, brand }: SetupInfo): Draft {
  const code = likelyCountry(countries, zone, navigator.languages)
  return emptyDraft(
    countries.find((country) => country.code === code),
    zone,
    brand?.name ?? '',
  )
}

function Steps({ token, info }: { token: string; info: SetupInfo }) {
  const [kept, keep] = useStored<Draft>(`comptoir-setup-${info.brand?.slug ?? ''}`)
  const [draft, setDraft] = useState(() => kept ?? start(info))
  // Another language loads the page again. A file is too large to be kept here: it is chosen again.
  useEffect(() => keep({ ...draft, file: undefined }), [draft, keep])
  const [step, setStep] = useState(0)
  const [reached, setReached] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  const change = (part: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...part }))
    mutation.reset() // what was refused is being corrected
  }
  const signIn = () => ({ brand: info.brand?.slug ?? slugIn(draft), username: usernameIn(draft) })
  const mutation = useMutation({
    onMutate: () => rememberSignIn(signIn()), // its answer may be lost, and the link is used then
    mutationFn: (password: string) =>
      api.openRestaurant(
        token,
        requestOf(draft, {
          password,
          language: menuLanguageIn(draft, SPOKEN, language),
          isLinked: info.brand !== null,
        }),
      ),
    onSuccess() {
      keep(undefined)
      rememberOpening(signIn())
      pickLanguage(language) // the owner reads on in the language in which this was read
      loadForNext('/back-office/today')
    },
    onError(error) {
      const [first] = fieldProblems(error)
      if (first) go(stepOf(first.field))
    },
  })
  const found = fieldProblems(mutation.error)
  const faults = found.flatMap((each) => ('fault' in each ? [(each as SheetFieldProblem).fault] : []))
  const problem = (field: string) => {
    const first = found.find((each) => each.field === field || each.field.startsWith(`${field}[`))
    return first && (words.problems[plainField(first.field)] ?? first.message)
  }
  const go = (to: number) => {
    setStep(to)
    setReached((before) => Math.max(before, to))
    heading.current?.focus()
  }
  const props: StepProps = { draft, info, change, problem, faults }
  const steps = [
    <PlaceStep key="place" {...props} />,
    <SellingStep key="selling" {...props} />,
    <MenuStep key="menu" {...props} />,
    <YouStep key="you" {...props} />,
  ]
  const isLast = step === steps.length - 1
  const spent = spentIn(mutation.error)
  if (spent) return <Spent state={spent} />
  return (
    <>
      <Title order={1}>{words.title}</Title>
      <Text className="quiet">{words.lead}</Text>
      <StepList step={step} reached={reached} onChoose={go} />
      <form
        className="card setup-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isLast) return go(step + 1)
          const { password, repeat } = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
          if (password === repeat) mutation.mutate(password!)
        }}
      >
        <Title order={2} size="h3" ref={heading} tabIndex={-1}>
          {words.step(step + 1, steps.length, words.steps[step]!)}
        </Title>
        {steps[step]}
        {mutation.error &&
          (found.length > 0 ? <Alert color="red">{words.someProblems}</Alert> : <Failure error={mutation.error} />)}
        <div className="setup-buttons">
          <Button variant="default" onClick={() => go(step - 1)} disabled={step === 0}>
            {words.back}
          </Button>
          <Button type="submit" loading={mutation.isPending}>
            {isLast ? words.submit : words.next}
          </Button>
        </div>
      </form>
    </>
  )
}

/** The steps, of which those that were reached can be returned to. */
function StepList({
  step,
  reached,
  onChoose,
}: {
  step: number
  reached: number
  onChoose: (step: number) => void
}): ReactNode {
  return (
    <ol className="setup-steps">
      {words.steps.map((name, index) => (
        <li key={name}>
          {index !== step && index <= reached ? (
            <button type="button" data-done data-name onClick={() => onChoose(index)} aria-label={name}>
              {name}
            </button>
          ) : (
            <span data-name aria-current={index === step ? 'step' : undefined}>
              {name}
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
