/** @jsxImportSource ../../kit/jsx */

import type { frameWords } from '../../framework/words'
import { Icon } from '../../kit/parts/icon'
import { Button, Form } from '../../kit/parts/kit'
import { useWords } from '../../kit/parts/language'
import { type Appearance, lookPath } from './look'

export interface MeProps {
  readonly csrf: string
  /** The page to return to. */
  readonly back: string
  readonly look: Appearance
}

const themes = [
  ['auto', 'themeAuto', 'monitor'],
  ['light', 'themeLight', 'sun'],
  ['dark', 'themeDark', 'moon'],
] as const

/** The menu of the person: account, theme, keys, sign-out. */
export function Me({ csrf, back, look }: MeProps) {
  const words = useWords<typeof frameWords>()
  return (
    <>
      <a href="/app/account">
        <Icon name="user" />
        {words('account')}
      </a>
      <a href="/app/keys">
        <Icon name="keyboard" />
        {words('shortcuts')}
      </a>
      <a href="/docs">
        <Icon name="code" />
        {words('apiReference')}
      </a>
      <Form action={lookPath} csrf={csrf} hidden={{ back }} label={words.text('theme')}>
        <div class="looks">
          {themes.map(([theme, label, icon]) => (
            <button
              key={theme}
              type="submit"
              class="button"
              name="theme"
              value={theme}
              aria-pressed={look.theme === theme ? 'true' : 'false'}
            >
              <Icon name={icon} />
              {words(label)}
            </button>
          ))}
        </div>
      </Form>
      <Form action="/app/sign-out" csrf={csrf} label={words.text('signOut')}>
        <Button kind="quiet">
          <Icon name="log-out" />
          {words('signOut')}
        </Button>
      </Form>
    </>
  )
}

/** The button that narrows the side bar to its icons, or widens it. */
export function SideWidth({ csrf, back, look }: MeProps) {
  const isWide = look.side === 'wide'
  const words = useWords<typeof frameWords>()
  return (
    <div class="fold-side">
      <Form
        action={lookPath}
        csrf={csrf}
        hidden={{ back, side: isWide ? 'icons' : 'wide' }}
        label={words.text('sideWidth')}
        inline
      >
        <Button kind="quiet">
          <Icon name="panel-left" />
          <span class="unseen">{words(isWide ? 'narrowSide' : 'widenSide')}</span>
        </Button>
      </Form>
    </div>
  )
}
