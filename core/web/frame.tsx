/** @jsxImportSource ./jsx */

import type { Person } from '../auth/sessions'
import type { Host } from '../requests/host'
import type { RequestState } from '../requests/request'
import { hasShortcuts } from './account/has-shortcuts'
import type { Page } from './define-page'
import { DemoStrip } from './demo/demo'
import { type Appearance, plainLook } from './desk/look'
import { navigationOf, navPages } from './desk/navigation'
import type { PageFrame } from './page'
import { Switcher } from './switcher'
import type { VisibleWorkspace } from './workspace-access'

interface FrameInput {
  readonly host: Host
  readonly brand: string
  readonly state: RequestState
  readonly method: string
  readonly csrf: string
  readonly look: Appearance
  readonly person: Person | null
  /** The workspace that pages are about, and those to change to. */
  readonly place: VisibleWorkspace | null
  readonly choices: readonly VisibleWorkspace[]
  readonly pages: readonly Page[]
  /** Number of waiting items of a page, by its path. */
  readonly counts: ReadonlyMap<string, number>
}

/** Around a page for which nothing could be looked up. */
export const bareFrame = ({ kind }: Host, look: Appearance = plainLook): PageFrame => {
  const isWhiteLabel = kind === 'white_label'
  return { brand: isWhiteLabel ? '' : 'Renown', isWhiteLabel, look, desk: null }
}

/** What stands around a page: the name, and the navigation for somebody who is signed in. */
export function frameOf(input: FrameInput): PageFrame {
  const { host, brand, state, csrf, look, person, place, choices, pages, counts } = input
  const isWhiteLabel = host.kind === 'white_label'
  if (!person) return { brand, isWhiteLabel, look, desk: null }
  const { path, search } = state
  const named = navPages(pages, person)
  const navigation = navigationOf(named, path, counts)
  // What a form answers with has no address of its own to come back to.
  const here = input.method === 'POST' ? (navigation.nearest?.href ?? '/app') : path
  const back = input.method === 'POST' || search === '' ? here : `${here}?${search}`
  const onPhones = new Set(named.filter((page) => page.onPhones).map((page) => page.path))
  const own = choices.find(({ is_demo }) => !is_demo)
  // Settings are the agency's own, whatever is looked at.
  const isDemo = place?.is_demo === true && navigation.within.length === 0
  return {
    ...{ brand, isWhiteLabel, look },
    desk: {
      ...{ navigation, onPhones, csrf, back, look },
      isFormAnswer: input.method === 'POST',
      name: person.name ?? person.email ?? 'Account',
      shortcuts: hasShortcuts(person),
      ...(isDemo ? { demo: <DemoStrip csrf={csrf} own={own} /> } : {}),
      ...(place ? { switcher: <Switcher place={place} choices={choices} csrf={csrf} back={here} /> } : {}),
    },
  }
}
