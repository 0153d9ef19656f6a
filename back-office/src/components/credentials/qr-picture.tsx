import { qrModules } from '../../qr.ts'

/** A text for a phone's camera: dark on light in either colour scheme, with the margin that readers need. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const modules = qrModules(text)
  const dark = modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg className="qr" viewBox={`-4 -4 ${modules.length + 8} ${modules.length + 8}`} role="img" aria-label={label}>
      <path d={dark.join('')} shapeRendering="crispEdges" />
    </svg>
  )
}
