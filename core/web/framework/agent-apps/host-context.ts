import { exactTime } from '../../../kit/page-locale'
import type { HostContext } from './host-bridge'

/** The root element of the page of an app. */
interface Root {
  readonly style: { setProperty(name: string, value: string): void }
  setAttribute(name: string, value: string): void
}

const variable = /^--[a-z0-9-]{1,60}$/
const valueCharactersMax = 300
const sides = ['top', 'right', 'bottom', 'left'] as const

/** Applies the theme of the chat. Returns the time zone of the person, or null if the chat did not say it. */
export function applyContext(
  root: Root,
  { theme, styles, timeZone, safeAreaInsets }: HostContext,
): string | null {
  if (theme === 'light' || theme === 'dark') root.setAttribute('data-theme', theme)
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (variable.test(name) && typeof value === 'string' && value.length <= valueCharactersMax)
      root.style.setProperty(name, value)
  for (const side of sides) {
    const inset = safeAreaInsets?.[side]
    if (typeof inset === 'number' && inset >= 0) root.style.setProperty(`--inset-${side}`, `${inset}px`)
  }
  return isTimeZone(timeZone) ? timeZone : null
}

function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string') return false
  try {
    return exactTime('2026-01-01T00:00:00Z', name) !== ''
  } catch {
    return false
  }
}
