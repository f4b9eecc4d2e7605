/** @jsxImportSource ./jsx */

import type { Person } from '../auth/sessions'
import type { Host } from '../requests/host'
import type { RequestState } from '../requests/request'
import type { Page } from './define-page'
import { DemoBanner } from './demo/demo'
import { Button, Form } from './kit'
import type { Frame } from './page'
import type { Place } from './places'
import { Switcher } from './switcher'

interface FrameInput {
  readonly host: Host
  readonly brand: string
  readonly state: RequestState
  readonly csrf: string
  readonly isSignedIn: boolean
  readonly person: Person | null
  /** The workspace that pages are about, and those to change to. */
  readonly place: Place | null
  readonly choices: readonly Place[]
  readonly pages: readonly Page[]
}

/** Around a page for which nothing could be looked up. */
export const bareFrame = ({ kind }: Host): Frame => {
  const isWhiteLabel = kind === 'white_label'
  return { brand: isWhiteLabel ? '' : 'Renown', isWhiteLabel, nav: [] }
}

/** What stands around a page: the name, and for somebody who is signed in the bar. */
export function frameOf(input: FrameInput): Frame {
  const { host, brand, state, csrf, isSignedIn, person, place, choices, pages } = input
  const isWhiteLabel = host.kind === 'white_label'
  if (!isSignedIn) return { brand, isWhiteLabel, nav: [] }
  const { path } = state
  const named = pages
    .filter(({ only }) => only === undefined || only === person?.role)
    .flatMap(({ path: href, nav: label, navOrder: order = 100, section }) =>
      label === undefined ? [] : [{ href, label, order, section }],
    )
    .toSorted((a, b) => a.order - b.order)
  const here = named.filter(({ href }) => path === href || (href !== '/app' && path.startsWith(`${href}/`)))
  const nearest = here.toSorted((a, b) => b.href.length - a.href.length)[0]
  const shown = ({ href, label }: { href: string; label: string }) => ({
    ...{ href, label },
    current: href === nearest?.href,
  })
  // Members have one alone, which then stands under its own name.
  const all = named.filter(({ section }) => section !== undefined)
  const settings = all.length > 1 ? all : []
  const isSettings = nearest !== undefined && settings.includes(nearest)
  const nav = named.flatMap((each) => {
    if (!settings.includes(each)) return [shown(each)]
    return each === settings[0] ? [{ ...shown(each), label: 'Settings', current: isSettings }] : []
  })
  const signOut = (
    <Form action="/app/sign-out" csrf={csrf} label="Sign out" inline>
      <Button kind="quiet">Sign out</Button>
    </Form>
  )
  return {
    brand,
    isWhiteLabel,
    nav,
    ...(isSettings ? { within: settings.map(shown) } : {}),
    signOut,
    // Settings are the agency's own, whatever is looked at.
    ...(place?.is_demo && !isSettings
      ? { banner: <DemoBanner csrf={csrf} own={choices.find(({ is_demo }) => !is_demo)} /> }
      : {}),
    ...(place ? { switcher: <Switcher place={place} choices={choices} csrf={csrf} back={path} /> } : {}),
  }
}
