import '../pages/till/till.css'
import './service.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, Refused } from '../api.ts'
import { Failure } from '../components/layout/states.tsx'
import { Sentence } from '../components/refusal.tsx'
import { loadForNext } from '../live/outbox/waiting.ts'
import { serviceTexts } from '../texts/screens/service.ts'
import { texts } from '../texts/texts.ts'
import { rememberDevice } from './device.ts'
import { PinPad } from './pin-pad.tsx'

/** Names at an enrolled device: one taps one's own and types a PIN. */
export function Names({ next, onPassword }: { next: string | undefined; onPassword: () => void }) {
  const [person, setPerson] = useState<{ id: number; name: string }>()
  const [old, setOld] = useState<string>() // somebody else chose it
  const query = useQuery({ queryKey: ['device'], queryFn: api.device, retry: false })
  const here = query.data
  const isNone = query.error instanceof Refused && query.error.slug === 'signed_out'
  useEffect(() => {
    document.title = `${serviceTexts.who} · ${texts.product}`
    if (!isNone) return
    rememberDevice(false) // it was removed
    onPassword()
  }, [isNone, onPassword])
  const enter = useMutation({
    mutationFn: (pin: string) =>
      old === undefined
        ? api.enterByPin({ user_id: person!.id, pin })
        : api.enterByPin({ user_id: person!.id, pin: old, new_pin: pin }),
    onSuccess: () => loadForNext(`/back-office${next ?? (here?.device.use === 'kitchen' ? '/kitchen' : '/till')}`),
    onError(error, pin) {
      if (error instanceof Refused && error.slug === 'pin_change' && old === undefined) setOld(pin)
    },
  })
  const isChanging = old !== undefined
  return (
    <main className="till-place names" id="content">
      <h1>{person ? serviceTexts.pinOf(person.name) : serviceTexts.who}</h1>
      {query.error && !isNone && <Failure error={query.error} again={() => void query.refetch()} />}
      {!person && here && (
        <>
          <p>{serviceTexts.whoLead(here.device.name)}</p>
          {here.people.length === 0 && <p>{serviceTexts.nobody}</p>}
          <div className="names-grid">
            {here.people.map((each) => (
              <button key={each.id} type="button" className="till-key large" onClick={() => setPerson(each)}>
                {each.name}
              </button>
            ))}
          </div>
        </>
      )}
      {person && (
        <>
          {isChanging && (
            <p>
              <b>{serviceTexts.newPin}.</b> {serviceTexts.newPinLead}
            </p>
          )}
          <PinPad
            key={String(isChanging)}
            label={isChanging ? serviceTexts.newPin : serviceTexts.pinOf(person.name)}
            isBusy={enter.isPending}
            onPin={(pin) => enter.mutate(pin)}
          />
          <div className="till-problem" role="alert">
            {enter.error && !(isChanging && enter.variables === old) && <Sentence of={enter.error} />}
          </div>
          <button
            type="button"
            className="till-key large"
            onClick={() => {
              setPerson(undefined)
              setOld(undefined)
              enter.reset()
            }}
          >
            {serviceTexts.others}
          </button>
        </>
      )}
      <p>
        <button type="button" className="till-key" onClick={onPassword}>
          {serviceTexts.withPassword}
        </button>
      </p>
    </main>
  )
}
