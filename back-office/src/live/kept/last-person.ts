// The person who is signed in, for a load of the page without the server. What they were answered is in answers.ts, which most pages
// never need.

/** As long as a session lasts at most. */
const KEPT_MS = 12 * 3_600_000
const SIGNED_IN = 'comptoir.person'

interface SignedIn {
  readonly person: string
  readonly at: number
}

/** Returns the person who was signed in when this browser last heard of it. */
export function lastPerson(): string | undefined {
  try {
    const { person, at } = JSON.parse(localStorage.getItem(SIGNED_IN) ?? '') as SignedIn
    return Math.abs(Date.now() - at) < KEPT_MS ? person : undefined
  } catch {
    return undefined
  }
}

/** Somebody is signed in, and this is what the server says of them; what others were answered goes. */
export function rememberPerson(person: string, me: object): void {
  const before = lastPerson()
  try {
    localStorage.setItem(SIGNED_IN, JSON.stringify({ person, at: Date.now() } satisfies SignedIn))
  } catch {
    return // then nothing is shown without the server
  }
  void import('./answers.ts').then(async ({ dropOld, forget, keepAnswer }) => {
    await (before === person ? dropOld(person) : forget((other) => other !== person))
    keepAnswer(person, 'me', me)
  })
}

/** Nobody is signed in any more. */
export async function forgetAnswers(): Promise<void> {
  try {
    localStorage.removeItem(SIGNED_IN)
  } catch {
    // It was never kept.
  }
  await import('./answers.ts').then(({ forget }) => forget(() => true))
}

/** The last person, if the server said who they are. */
export async function recallPerson<Me>(): Promise<Me | undefined> {
  const last = lastPerson()
  if (last === undefined) return undefined
  const { recallAnswer } = await import('./answers.ts')
  return recallAnswer<Me>(last, 'me')
}
