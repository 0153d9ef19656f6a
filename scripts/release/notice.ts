import type { Work } from './packages.ts'

const HEAD = `Comptoir is licensed under the Apache License 2.0 (LICENSE). It comes with works of others, which are listed
here with their licences. An archive that brings Node.js has its licence in node/LICENSE.
`

/** NOTICE: every work of others that is shipped. One text that many share stands once. */
export function notice(works: readonly Work[]): string {
  const unnamed = works.find(({ licence, texts }) => !licence && texts.length === 0)
  if (unnamed) throw new Error(`${unnamed.name} ${unnamed.version} names no licence: it cannot be shipped`)
  const distinct = new Map(works.map((work) => [`${work.name} ${work.version}`, work]))
  const sorted = [...distinct].sort(([one], [other]) => (one < other ? -1 : 1))
  const byText = Map.groupBy(sorted, ([, { licence, texts }]) => texts.join('\n\n') || licence)
  const sections = [...byText].map(
    ([text, each]) => `${each.map(([name, { licence }]) => `${name} (${licence})`).join('\n')}\n\n${text}\n`,
  )
  return [HEAD, ...sections].join(`\n${'-'.repeat(80)}\n\n`)
}
