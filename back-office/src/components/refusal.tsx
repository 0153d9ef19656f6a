import type { FieldProblem } from '../../../server/src/http/errors.ts'
import { Refused } from '../api.ts'
import { inZone } from '../texts/clock.ts'
import { language } from '../texts/language.ts'
import { refusalTexts, tooMany } from '../texts/refusals.ts'
import { LOCALE, texts } from '../texts/texts.ts'

// Refusals in the language of the person. The API speaks English: its own sentence stands behind Details.

/** A refusal as it was received, or as an act keeps it. */
export interface Refusal {
  readonly slug: string
  readonly message: string
  readonly details?: unknown
  readonly requestId?: string | null
}

const instant = inZone({ dateStyle: 'medium', timeStyle: 'short' })

export function refusalSentence({ slug, message, details }: Refusal): string {
  const about = (details ?? {}) as Readonly<Record<string, unknown>>
  const [problem] = slug === 'validation_failed' ? ((about.errors ?? []) as readonly FieldProblem[]) : []
  const isTooMany = problem && tooMany(problem)
  if (isTooMany) return isTooMany
  const own = refusalTexts()?.bySlug[slug]?.(
    about,
    (member) => Number(about[member] ?? 0).toLocaleString(LOCALE, { maximumFractionDigits: 4 }),
    (member) => instant(String(about[member])),
  )
  return own ?? texts.errors.bySlug[slug] ?? (language === 'en' ? message : texts.errors.refused)
}

/** An error, as a sentence for people. */
export const sentence = (error: Error): string =>
  error instanceof Refused ? refusalSentence(error) : texts.errors.page

/** The same with what the API said, for those who want to know or have to tell somebody. */
export function Sentence({ of }: { of: Error | Refusal }) {
  const refusal = of instanceof Error ? (of instanceof Refused ? of : undefined) : of
  const said = refusal ? refusalSentence(refusal) : texts.errors.page
  const answered = refusal && refusal.slug !== 'offline' ? refusal : undefined
  const id = answered?.requestId
  return (
    <>
      {said}
      {answered && (answered.message !== said || id) && (
        <details className="api-says">
          <summary>{texts.errors.details}</summary>
          {answered.message !== said && <span lang="en">{answered.message}</span>}
          {id && <span className="mono">{texts.errors.requestId(id)}</span>}
        </details>
      )}
    </>
  )
}

/** What is wrong with one field, where the API's own sentence is not in the language of the pages. */
export function problemText(problem: FieldProblem): string {
  const { rule, message } = problem
  if (problem.maximum !== undefined) return tooMany(problem) ?? message
  return language === 'en' && !SAID_HERE.includes(rule)
    ? message
    : (refusalTexts()?.byRule[rule] ?? texts.errors.refused)
}

/** Rules of which the API's sentence names a place in the body, which means nothing to the person who filled in a form. */
const SAID_HERE: readonly string[] = ['circle']
