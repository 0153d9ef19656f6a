import { type ReactNode, useEffect } from 'react'
import icon from '../icon.svg'
import { texts } from '../texts/texts.ts'

/** The pages before one is in. */
export function Door({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`
  }, [title])
  return (
    <div className="door">
      <aside className="door-sign">
        <div className="brand-mark">
          <img src={icon} alt="" />
          {texts.product}
        </div>
        <blockquote>{texts.signIn.motto}</blockquote>
        <small>{texts.signIn.footing}</small>
      </aside>
      <main className="door-form">
        <div>{children}</div>
      </main>
    </div>
  )
}
