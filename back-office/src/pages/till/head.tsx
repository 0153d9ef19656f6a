import { useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useUnsent } from '../../live/outbox/use-unsent.ts'
import { NewVersionHere } from '../../offline/new-version.tsx'
import { switchPerson } from '../../service/lock.tsx'
import { serviceTexts } from '../../texts/screens/service.ts'
import { tillTexts } from '../../texts/screens/till.ts'
import { texts } from '../../texts/texts.ts'
import type { Desk } from './state/use-desk.ts'
import { useTill } from './use-till.ts'

/** Where the till stands and who works at it, what is not sent or was refused, and the drawer. */
export function Head({
  sound,
  desk,
  onSound,
  onElsewhere,
  onTake,
}: {
  sound: boolean
  desk: Desk
  onSound: () => void
  onElsewhere: () => void
  onTake: () => void
}) {
  const till = useTill()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const isDark =
    colorScheme === 'dark' || (colorScheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  const unsent = useUnsent()
  // Refusals of the current receipt are shown on the receipt itself.
  const refused = till.acts.filter((act) => act.refused && act.chain !== till.hand?.cid)
  const { venue, terminal } = till.place
  return (
    <header className={till.online && unsent === 0 ? 'till-head' : 'till-head offline'}>
      <button type="button" onClick={onElsewhere} title={tillTexts.elsewhere}>
        <b>{venue.name}</b> {terminal?.name} <span className="till-person">{till.me.name}</span>
      </button>
      {till.me.device?.by_pin && (
        <button type="button" onClick={() => void switchPerson()} disabled={!till.online || unsent > 0}>
          {serviceTexts.switch} <kbd>F10</kbd>
        </button>
      )}
      <p role="status">
        <b className="till-head-short">{unsent > 0 ? texts.notSent(unsent) : tillTexts.offlineShort}</b>
        <span>
          {unsent > 0 && <b>{texts.notSent(unsent)} </b>}
          {till.online ? unsent === 0 && tillTexts.online : tillTexts.offline}
        </span>
      </p>
      <NewVersionHere isBusy={(till.bill?.lines.length ?? 0) > 0} />
      {refused[0] && (
        <button
          type="button"
          className="till-head-refused"
          onClick={() => {
            till.takeKept(refused[0]!.chain)
            onTake()
          }}
        >
          {tillTexts.refusedElsewhere(refused.length)}
        </button>
      )}
      {desk.printer?.drawer && till.rights('drawer:open') && (
        <button type="button" onClick={desk.openDrawer}>
          {tillTexts.openDrawer}
        </button>
      )}
      <button type="button" onClick={onSound} aria-pressed={sound}>
        {sound ? tillTexts.soundOn : tillTexts.soundOff}
      </button>
      <button type="button" onClick={() => setColorScheme(isDark ? 'light' : 'dark')}>
        {isDark ? texts.person.light : texts.person.dark}
      </button>
      <Link to="/office">{tillTexts.leave}</Link>
    </header>
  )
}
