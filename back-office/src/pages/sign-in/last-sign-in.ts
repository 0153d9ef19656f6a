const STORED = 'comptoir-sign-in'

interface SignedIn {
  readonly brand: string
  readonly username: string
}

/** Returns the brand and username of the last sign-in in this browser, without the password. */
export function lastSignIn(): SignedIn | undefined {
  try {
    return (JSON.parse(localStorage.getItem(STORED) ?? 'null') as SignedIn | null) ?? undefined
  } catch {
    return undefined
  }
}

export function rememberSignIn({ brand, username }: SignedIn): void {
  try {
    localStorage.setItem(STORED, JSON.stringify({ brand, username }))
  } catch {
    // Then it is typed again.
  }
}
