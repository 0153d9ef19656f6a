const NAME = 'comptoir-opened'

/** What an owner signs in with. */
export interface Opening {
  readonly brand: string
  readonly username: string
}

/** Notes that the restaurant was opened in this tab, so that the page Today says once how to sign in. */
export function rememberOpening(opening: Opening): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(opening))
  } catch {
    // Then it is not said again.
  }
}

export function lastOpening(): Opening | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as Opening | null) ?? undefined
  } catch {
    return undefined
  }
}

export function forgetOpening(): void {
  try {
    sessionStorage.removeItem(NAME)
  } catch {
    // Then it is shown until the tab is closed.
  }
}
