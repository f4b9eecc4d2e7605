/** @jsxImportSource ../jsx */
import { Button, Form } from '../kit'
import { Icon } from '../parts/icon'
import { type Appearance, lookPath } from './look'

export interface MeProps {
  readonly csrf: string
  /** The page to return to. */
  readonly back: string
  readonly look: Appearance
}

const themes = [
  ['auto', 'System', 'monitor'],
  ['light', 'Light', 'sun'],
  ['dark', 'Dark', 'moon'],
] as const

/** The menu of the person: account, theme, keys, sign-out. */
export const Me = ({ csrf, back, look }: MeProps) => (
  <>
    <a href="/app/account">
      <Icon name="user" />
      Account
    </a>
    <a href="/app/keys">
      <Icon name="keyboard" />
      Keyboard shortcuts
    </a>
    <a href="/docs">
      <Icon name="code" />
      API reference
    </a>
    <Form action={lookPath} csrf={csrf} hidden={{ back }} label="Theme">
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
            {label}
          </button>
        ))}
      </div>
    </Form>
    <Form action="/app/sign-out" csrf={csrf} label="Sign out">
      <Button kind="quiet">
        <Icon name="log-out" />
        Sign out
      </Button>
    </Form>
  </>
)

/** The button that narrows the side bar to its icons, or widens it. */
export function SideWidth({ csrf, back, look }: MeProps) {
  const isWide = look.side === 'wide'
  return (
    <div class="fold-side">
      <Form
        action={lookPath}
        csrf={csrf}
        hidden={{ back, side: isWide ? 'icons' : 'wide' }}
        label="Width of the side bar"
        inline
      >
        <Button kind="quiet">
          <Icon name="panel-left" />
          <span class="unseen">{isWide ? 'Narrow the side bar' : 'Widen the side bar'}</span>
        </Button>
      </Form>
    </div>
  )
}
