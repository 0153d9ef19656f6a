// What is typed into a document outlives the dialog and a reload of the page: a count may take an hour. It goes when it was booked,
// kept as a draft or thrown away.

export function keptAs<Value>(name: string): Partial<Value> {
  try {
    return (JSON.parse(sessionStorage.getItem(name) ?? '{}') ?? {}) as Partial<Value>
  } catch {
    return {}
  }
}

/** undefined: there is nothing to keep. */
export function keepAs(name: string, value: object | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, JSON.stringify(value))
  } catch {
    // A full or forbidden storage: it is still in the dialog.
  }
}
