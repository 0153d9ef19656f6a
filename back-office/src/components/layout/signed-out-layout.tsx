import { NativeSelect } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import icon from '../../icon.svg'
import { language, languages, nameOfLanguage, pickLanguage } from '../../texts/language.ts'
import { texts } from '../../texts/texts.ts'

/** The layout of the sign-in and invitation pages. */
export function SignedOutLayout({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`
  }, [title])
  return (
    <div className="signed-out">
      <aside className="signed-out-aside">
        <div className="brand-mark">
          <img src={icon} alt="" />
          {texts.product}
        </div>
        <blockquote>{texts.signIn.motto}</blockquote>
        <small>{texts.signIn.footing}</small>
      </aside>
      <main className="signed-out-form">
        <div>
          {children}
          <NativeSelect
            mt="lg"
            size="xs"
            label={texts.language}
            data={languages.map((tag) => ({ value: tag, label: nameOfLanguage(tag) }))}
            value={language}
            onChange={({ currentTarget }) => pickLanguage(currentTarget.value)}
          />
        </div>
      </main>
    </div>
  )
}
