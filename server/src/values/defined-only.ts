/** The same members without those that are undefined: optional members of the wire are absent, never undefined. */
export function definedOnly<Members extends object>(members: Members): DefinedOnly<Members> {
  const defined: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(members)) if (value !== undefined) defined[name] = value
  return defined as DefinedOnly<Members>
}

type MaybeUndefined<Members> = {
  [Name in keyof Members]-?: undefined extends Members[Name] ? Name : never
}[keyof Members]

/** Members that can be undefined become optional ones. */
export type DefinedOnly<Members> = Omit<Members, MaybeUndefined<Members>> & {
  [Name in MaybeUndefined<Members>]?: Exclude<Members[Name], undefined>
}
