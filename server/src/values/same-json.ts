/** Whether two values are the same JSON, in whatever order their members are; a member that is undefined is absent. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false
    return one.every((each, index) => isSameJson(each, other[index]))
  }
  if (Array.isArray(other)) return false
  for (const name in one) if (!isSameJson((one as Members)[name], (other as Members)[name])) return false
  for (const name in other) if ((other as Members)[name] !== undefined && !(name in one)) return false
  return true
}

type Members = Readonly<Record<string, unknown>>
