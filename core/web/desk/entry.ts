import type { IconName } from '../../contracts/icons'

/** An entry of the navigation. */
export interface NavItem {
  readonly href: string
  readonly label: string
  readonly current: boolean
  readonly icon: IconName
  /** How much waits there; nothing is shown for 0. */
  readonly count: number
}

/** Where a person can go from the page that is shown. */
export interface Navigation {
  readonly daily: readonly NavItem[]
  readonly setup: readonly NavItem[]
  /** All of the settings, while one of them is shown. */
  readonly within: readonly NavItem[]
  /** The page of notifications, where there is one. */
  readonly bell: NavItem | null
  /** The entry of the page that is shown, or of the page above it. */
  readonly nearest: NavItem | null
}

const phoneMax = 4

/** The four entries of the bar on phones, and those behind “More”. */
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
