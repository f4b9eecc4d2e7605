import type { Person } from '../../../auth/sessions'
import type { NavCount } from '../../../contracts/page'
import type { PageLocale } from '../../../kit/page-locale'
import { declaredText, shownText } from '../../../kit/phrases'
import { mayOpen, type Route } from '../../framework/route'
import { frameWords } from '../../framework/words'
import type { NavItem, Navigation } from './entry'
import type { OpenStep } from './setup-steps'

export const bellPath = '/app/notifications'

/** Returns the pages with a navigation entry that this person may open, in order. */
export const navPages = (pages: readonly Route[], person: Person): readonly Route[] =>
  pages
    .filter(({ method, nav }) => method === 'GET' && nav !== undefined)
    .filter((page) => mayOpen(page, person))
    .toSorted((a, b) => (a.navOrder ?? 100) - (b.navOrder ?? 100))

interface NavigationInput {
  readonly path: string
  readonly counts: ReadonlyMap<string, NavCount>
  /** What is left to set up in the workspace. Default: nothing. */
  readonly steps?: readonly OpenStep[]
  readonly locale: PageLocale
}

/** Returns a person's navigation entries for a path. */
export function navigationOf(
  named: readonly Route[],
  { path, counts, steps = [], locale }: NavigationInput,
): Navigation {
  const nearest = named
    .filter(({ path: href }) => path === href || (href !== '/app' && path.startsWith(`${href}/`)))
    .toSorted((a, b) => b.path.length - a.path.length)[0]
  // A step is a page of its own below an entry, and only one of the two is marked.
  const isStep = nearest?.path !== path && steps.some(({ href }) => href === path)
  const itemOf = ({ path: href, nav = '', icon = 'circle-dot' }: Route): NavItem => ({
    href,
    label: declaredText(nav, locale),
    icon,
    current: href === nearest?.path && !isStep,
    count: counts.get(href) ?? 0,
  })
  // Members can open only one settings page. It is then an entry with its own name.
  const all = named.filter(({ section }) => section !== undefined)
  const settings = all.length > 1 ? all : []
  const isSettings = nearest !== undefined && settings.includes(nearest)
  const [first] = settings
  const others = named.filter((page) => page.path !== bellPath && !settings.includes(page))
  const isSetup = ({ group, section }: Route) => group === 'setup' || section !== undefined
  const bell = named.find((page) => page.path === bellPath)
  return {
    daily: others.filter((page) => !isSetup(page)).map(itemOf),
    steps: steps.map(({ href, label }) => ({
      href,
      label: declaredText(label, locale),
      icon: 'circle-dot' as const,
      count: 0,
      current: isStep && href === path,
    })),
    setup: [
      ...others.filter(isSetup).map(itemOf),
      ...(first
        ? [
            {
              ...itemOf(first),
              label: shownText(frameWords('settings'), locale),
              icon: 'settings' as const,
              current: isSettings,
            },
          ]
        : []),
    ],
    within: isSettings ? settings.map(itemOf) : [],
    bell: bell ? itemOf(bell) : null,
    nearest: nearest ? itemOf(nearest) : null,
  }
}
