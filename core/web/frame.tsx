/** @jsxImportSource ./jsx */
import type { Host } from '../auth/hosts'
import type { Page } from './define-page'
import { Button, Form } from './kit'
import type { Frame } from './page'

interface FrameInput {
  readonly host: Host
  readonly brand: string
  readonly path: string
  readonly csrf: string
  readonly isSignedIn: boolean
  readonly pages: readonly Page[]
}

/** Around a page for which nothing could be looked up. */
export const bareFrame = ({ kind }: Host): Frame => {
  const isWhiteLabel = kind === 'white_label'
  return { brand: isWhiteLabel ? '' : 'Renown', isWhiteLabel, nav: [] }
}

/** What stands around a page: the name, and for somebody who is signed in the bar. */
export function frameOf({ host, brand, path, csrf, isSignedIn, pages }: FrameInput): Frame {
  const isWhiteLabel = host.kind === 'white_label'
  if (!isSignedIn) return { brand, isWhiteLabel, nav: [] }
  const nav = pages.flatMap(({ path: href, nav: label }) =>
    label === undefined ? [] : [{ href, label, current: path === href || path.startsWith(`${href}/`) }],
  )
  const signOut = (
    <Form action="/app/sign-out" csrf={csrf} label="Sign out" inline>
      <Button kind="quiet">Sign out</Button>
    </Form>
  )
  return { brand, isWhiteLabel, nav, signOut }
}
