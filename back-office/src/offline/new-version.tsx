import { Alert, Button } from '@mantine/core'
import { useEffect, useSyncExternalStore } from 'react'
import { idleMs } from '../api.ts'
import { texts } from '../texts/texts.ts'
import { newer, takeNewer } from './version.ts'

/** A screen that nobody has touched for so long is quiet, if nothing on it is unfinished. */
const QUIET_MS = 20_000

const useIsNewer = (): boolean => useSyncExternalStore(newer.subscribe, newer.isThere)

/** Says that there is a newer version. Going to another page takes it. */
export function NewVersion() {
  const isNewer = useIsNewer()
  return (
    <div role="status">
      {isNewer && (
        <Alert mb="lg" title={texts.newVersion}>
          <p>{texts.newVersionLead}</p>
          <Button size="xs" onClick={takeNewer}>
            {texts.useNewVersion}
          </Button>
        </Alert>
      )}
    </div>
  )
}

/** The same on a screen that stays open all day: it also takes the version at a quiet moment, never while `isBusy`. */
export function NewVersionHere({ isBusy, className }: { isBusy: boolean; className?: string }) {
  const isNewer = useIsNewer()
  useEffect(() => {
    if (!isNewer || isBusy) return
    const timer = setInterval(() => {
      if (idleMs() > QUIET_MS && !document.querySelector('dialog[open], [role=dialog]')) takeNewer()
    }, 1_000)
    return () => clearInterval(timer)
  }, [isNewer, isBusy])
  return (
    isNewer && (
      <button type="button" className={className} disabled={isBusy} onClick={takeNewer} title={texts.useNewVersion}>
        {texts.newVersion}
      </button>
    )
  )
}
