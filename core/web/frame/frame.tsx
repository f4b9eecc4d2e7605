/** @jsxImportSource ../kit/jsx */

import type { Person } from '../../auth/sessions'
import type { NavCount } from '../../contracts/page'
import { shownText } from '../../kit/phrases'
import type { Host } from '../../requests/host'
import type { RequestState } from '../../requests/request'
import { hasShortcuts } from '../framework/has-shortcuts'
import { englishFrame, languageOf, localeOf, pageLanguage } from '../framework/language'
import type { Route } from '../framework/route'
import { frameWords } from '../framework/words'
import type { VisibleWorkspace } from '../framework/workspace-access'
import { DemoStrip } from './demo-strip'
import { type Appearance, plainLook } from './desk/look'
import { navigationOf, navPages } from './desk/navigation'
import type { OpenStep } from './desk/setup-steps'
import type { PageFrame } from './page'
import { Switcher } from './switcher'

interface FrameInput {
  readonly host: Host
  readonly brand: string
  readonly state: RequestState
  readonly method: string
  readonly csrf: string
  readonly look: Appearance
  readonly person: Person | null
  /** The current workspace, and those that the person can switch to. */
  readonly place: VisibleWorkspace | null
  readonly choices: readonly VisibleWorkspace[]
  readonly pages: readonly Route[]
  /** Number of waiting items per page, by path. */
  readonly counts: ReadonlyMap<string, NavCount>
  /** What is left to set up in the workspace. */
  readonly steps: readonly OpenStep[]
}

/** Returns the frame of a page if nothing can be read from the store. */
export const bareFrame = ({ kind }: Host, look: Appearance = plainLook): PageFrame => {
  const isWhiteLabel = kind === 'white_label'
  return { brand: isWhiteLabel ? '' : 'Renown', isWhiteLabel, look, language: englishFrame, desk: null }
}

/** Returns the frame of a page: the name, and the navigation for a signed-in person. */
export function frameOf(input: FrameInput): PageFrame {
  const { host, brand, state, csrf, look, person, place, choices, pages, counts, steps } = input
  const isWhiteLabel = host.kind === 'white_label'
  if (!person) return { brand, isWhiteLabel, look, language: englishFrame, desk: null }
  const { path, search } = state
  const named = navPages(pages, person)
  const lang = languageOf(person)
  const locale = localeOf(frameWords, lang, place?.timezone ?? 'UTC')
  const navigation = navigationOf(named, { path, counts, steps, locale })
  // The answer to a form has no address to return to, so its page is used.
  const here = input.method === 'POST' ? (navigation.nearest?.href ?? '/app') : path
  const back = input.method === 'POST' || search === '' ? here : `${here}?${search}`
  const onPhones = new Set(named.filter((page) => page.onPhones).map((page) => page.path))
  const own = choices.find(({ is_demo }) => !is_demo)
  // Settings belong to the agency, whichever workspace is selected.
  const isDemo = place?.is_demo === true && navigation.within.length === 0
  return {
    brand,
    isWhiteLabel,
    look,
    language: pageLanguage(frameWords, lang),
    desk: {
      navigation,
      onPhones,
      csrf,
      back,
      look,
      isFormAnswer: input.method === 'POST',
      personKey: Bun.hash(person.id).toString(36),
      name: person.name ?? person.email ?? shownText(frameWords('account'), locale).text,
      shortcuts: hasShortcuts(person),
      ...(isDemo ? { demo: <DemoStrip csrf={csrf} own={own} /> } : {}),
      ...(place ? { switcher: <Switcher place={place} choices={choices} csrf={csrf} back={here} /> } : {}),
    },
  }
}
