const NAME = 'comptoir-opened'

/** What an owner signs in with. */
export interface Opening {
  readonly brand: string
  readonly username: string
}

/** The restaurant was opened in this tab: Today says once with what one signs in. */
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
