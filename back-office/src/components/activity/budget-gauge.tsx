import './activity.css'
import { SemiCircleProgress, Text, VisuallyHidden } from '@mantine/core'
import type { Budgets } from '../../../../server/src/back-office/activity/schema.ts'
import { activityTexts } from '../../texts/integrations/activity.ts'
import { LOCALE } from '../../texts/texts.ts'

const NEARLY = 0.8

/** §8 tier 3 of one integrator and brand, as it stands now. */
export function BudgetGauge({
  budget: { brand, integrator, limit, used, reset_s },
  withBrand,
}: {
  budget: Budgets['budgets'][number]
  withBrand: boolean
}) {
  const [shownUsed, shownLimit, seconds] = [used, limit, reset_s].map((count) => count.toLocaleString(LOCALE)) as [
    string,
    string,
    string,
  ]
  const state = used >= limit ? 'spent' : used >= limit * NEARLY ? 'nearly' : 'good'
  return (
    <div className="card gauge" data-state={state}>
      <Text fw={600} size="sm" ta="center">
        {integrator}
      </Text>
      {withBrand && <span className="mono quiet">{brand}</span>}
      <VisuallyHidden>
        <meter
          min={0}
          max={limit}
          value={Math.min(used, limit)}
          aria-label={activityTexts.budgetOf(integrator)}
          aria-valuetext={activityTexts.used(shownUsed, shownLimit)}
        />
      </VisuallyHidden>
      <div aria-hidden>
        <SemiCircleProgress
          value={Math.min(100, (used / limit) * 100)}
          size={168}
          thickness={12}
          filledSegmentColor="var(--gauge)"
          transitionDuration={250}
          label={
            <>
              <span className="gauge-used">{shownUsed}</span>
              <span className="quiet gauge-limit">{activityTexts.ofLimit(shownLimit)}</span>
            </>
          }
        />
      </div>
      <Text size="xs" className="quiet" ta="center">
        {state === 'spent'
          ? activityTexts.spent(seconds)
          : used === 0
            ? activityTexts.unused
            : activityTexts.resets(seconds)}
      </Text>
    </div>
  )
}
