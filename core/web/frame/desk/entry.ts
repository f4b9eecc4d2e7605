import type { IconName } from '../../../contracts/icons'
import type { NavCount } from '../../../contracts/page'
import type { ShownText } from '../../../contracts/words'

/** An entry of the navigation. */
export interface NavItem {
  readonly href: string
  readonly label: ShownText
  readonly current: boolean
  readonly icon: IconName
  /** Number of waiting items. 0 shows nothing. */
  readonly count: NavCount
}

/** The navigation of a person on the current page. */
export interface Navigation {
  readonly daily: readonly NavItem[]
  /** What the owner still has to set up in this workspace. Empty if everything is done. */
  readonly steps: readonly NavItem[]
  readonly setup: readonly NavItem[]
  /** The tabs of the settings, on a settings page. */
  readonly within: readonly NavItem[]
  /** The page of notifications, if there is one. */
  readonly bell: NavItem | null
  /** The entry of the current page, or of the page above it. */
  readonly nearest: NavItem | null
}

const phoneMax = 4

/** Returns the four entries of the bar on phones, and those under “More”. */
export function phoneEntries(
  { daily, setup }: Pick<Navigation, 'daily' | 'setup'>,
  preferred: ReadonlySet<string>,
): { readonly shown: readonly NavItem[]; readonly more: readonly NavItem[] } {
  const all = [...daily, ...setup]
  const first = all.filter(({ href }) => preferred.has(href))
  const chosen = [...first, ...all.filter((item) => !first.includes(item))].slice(0, phoneMax)
  return {
    shown: all.filter((item) => chosen.includes(item)),
    more: all.filter((item) => !chosen.includes(item)),
  }
}
