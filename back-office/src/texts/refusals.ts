import { part } from './language.ts'

type RefusalTexts = typeof import('./en/office/refusals.ts').refusalTexts

let loaded: RefusalTexts | undefined

/** Undefined until something was refused: most visits need none of them. */
export const refusalTexts = (): RefusalTexts | undefined => loaded

/** Loads them, so that the page that shows a refusal has its sentence. */
export async function loadRefusals(): Promise<void> {
  loaded ??= (await part<{ refusalTexts: RefusalTexts }>('office/refusals')).refusalTexts
}
