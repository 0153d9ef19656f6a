import type { SetupInfo } from '../../../../server/src/back-office/schema.ts'
import type { MenuFault } from '../../../../server/src/menu/spreadsheet/plan.ts'
import type { Draft } from './draft.ts'

/** What each step is given. */
export interface StepProps {
  readonly draft: Draft
  readonly info: SetupInfo
  readonly change: (part: Partial<Draft>) => void
  /** What is wrong with a field, in the language of the page. */
  readonly problem: (field: string) => string | undefined
  /** What is wrong in the spreadsheet. */
  readonly faults: readonly MenuFault[]
}

/** The languages in which setup can give names and menus. */
export const SPOKEN = ['en', 'fr']
