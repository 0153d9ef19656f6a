import { operatorTexts } from '../../texts/office/operator.ts'
import { LOCALE } from '../../texts/texts.ts'

/** §8 tier 3: what an integrator may ask of a brand unless the operator says otherwise. */
export const USUAL_PER_MINUTE = 300

export function Quota({ perMinute }: { perMinute: number | null }) {
  const shown = (perMinute ?? USUAL_PER_MINUTE).toLocaleString(LOCALE)
  return perMinute === null ? (
    <span className="quiet">{operatorTexts.quota.usual(shown)}</span>
  ) : (
    <span className="nowrap">{operatorTexts.quota.aMinute(shown)}</span>
  )
}
