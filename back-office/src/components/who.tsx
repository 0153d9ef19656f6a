import { auditTexts } from '../texts/office/audit.ts'
import { texts } from '../texts/texts.ts'

/** `user:bistro/owner`, `operator:ada`, `command line (root)`: the name first; beneath it what they are, or of which brand. */
export function Who({ actor, withBrand }: { actor: string; withBrand?: true }) {
  const [, brand, user] = /^user:([^/]+)\/(.+)$/.exec(actor) ?? []
  const [, operator] = /^operator:(.+)$/.exec(actor) ?? []
  const [, shell] = /^command line \((.+)\)$/.exec(actor) ?? []
  const what = operator ? texts.person.operator : shell ? auditTexts.commandLine : withBrand && brand
  return (
    <>
      <div>{user ?? operator ?? shell ?? actor}</div>
      {what && <div className="sub">{what}</div>}
    </>
  )
}
