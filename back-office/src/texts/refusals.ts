import { part } from './language.ts'
import { LOCALE } from './texts.ts'

type RefusalTexts = typeof import('./en/office/refusals.ts').refusalTexts

let loaded: RefusalTexts | undefined

/** Undefined until something was refused: most visits need none of them. */
export const refusalTexts = (): RefusalTexts | undefined => loaded

/** Loads them, so that the page that shows a refusal has its sentence. */
export async function loadRefusals(): Promise<void> {
  loaded ??= (await part<{ refusalTexts: RefusalTexts }>('office/refusals')).refusalTexts
}

/** That a list is too long, with how many entries it may have; undefined of any other problem. */
export function tooMany({ field, maximum }: { readonly field: string; readonly maximum?: number }): string | undefined {
  if (maximum === undefined || !loaded) return undefined
  return (loaded.tooMany[field] ?? loaded.tooMany.other!)(maximum.toLocaleString(LOCALE))
}
