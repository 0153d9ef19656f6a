import type { ReactNode } from 'react'
import icon from '../icon.svg'
import { texts } from '../texts/texts.ts'

/** The pages before one is in. */
export const Door = ({ children }: { children: ReactNode }) => (
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
