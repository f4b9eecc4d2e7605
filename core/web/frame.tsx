/** @jsxImportSource ./jsx */
import type { Host } from '../auth/hosts'
import type { RequestState } from '../gateway/request'
import type { Page } from './define-page'
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
export function frameOf({ host, brand, state, csrf, isSignedIn, place, choices, pages }: FrameInput): Frame {
  const isWhiteLabel = host.kind === 'white_label'
  if (!isSignedIn) return { brand, isWhiteLabel, nav: [] }
  const { path } = state
  const nav = pages
    .flatMap(({ path: href, nav: label, navOrder: order = 100 }) =>
      label === undefined ? [] : [{ href, label, order }],
    )
    .toSorted((a, b) => a.order - b.order)
  const here = nav.filter(({ href }) => path === href || (href !== '/app' && path.startsWith(`${href}/`)))
  const nearest = here.toSorted((a, b) => b.href.length - a.href.length)[0]
  const signOut = (
    <Form action="/app/sign-out" csrf={csrf} label="Sign out" inline>
      <Button kind="quiet">Sign out</Button>
    </Form>
  )
  return {
    brand,
    isWhiteLabel,
    nav: nav.map(({ href, label }) => ({ href, label, current: href === nearest?.href })),
    signOut,
    ...(place ? { switcher: <Switcher place={place} choices={choices} csrf={csrf} back={path} /> } : {}),
  }
}
