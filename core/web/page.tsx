/** @jsxImportSource ./jsx */

import type { BuiltPage } from './bundle'
import type { Children } from './jsx/jsx-runtime'
import { renderToString } from './jsx/render'
import { Mark } from './kit'
import { copyScript } from './parts/copy'
import { style } from './parts/style'

/** A place that the bar at the top leads to. */
export interface NavItem {
  readonly href: string
  readonly label: string
  readonly current: boolean
}

/** What stands around every page of one visit. */
export interface Frame {
  /** The name at the top: the product's, or the agency's on a white-label domain. */
  readonly brand: string
  readonly isWhiteLabel: boolean
  /** Empty for somebody who is not signed in. */
  readonly nav: readonly NavItem[]
  /** All of the settings, while one of them is shown. */
  readonly within?: readonly NavItem[]
  /** Which workspace the pages are about, and the others. */
  readonly switcher?: Children
  /** Something to know on every page, such as that all of it is made up. */
  readonly banner?: Children
  /** The button that signs out, at the end of the bar. */
  readonly signOut?: Children
}

export interface PageInput {
  readonly title: string
  readonly children: Children
  /** The host that is asked: https gets Strict-Transport-Security. */
  readonly host: { readonly origin: string }
  readonly frame?: Frame
  readonly width?: 'narrow' | 'wide'
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>> | Headers
  /** Loads the few lines that make Copy buttons work. Pages need no script otherwise. */
  readonly copies?: boolean
  /** The browser takes the page over, with what its component was given here. */
  readonly live?: { readonly props: unknown; readonly built: BuiltPage }
}

const stranger: Frame = { brand: 'Renown', isWhiteLabel: false, nav: [] }

/** A whole page as an answer: no script where none was asked for, nothing from elsewhere, never stored, never framed. */
export function renderPage(input: PageInput): Response {
  const { status = 200, headers, host, copies, live } = input
  const answer = new Headers(headers)
  answer.set('content-type', 'text/html; charset=utf-8')
  for (const [name, value] of Object.entries(pageHeaders(host.origin, { copies, live: live?.built })))
    answer.set(name, value)
  return new Response(`<!doctype html>${renderToString(<Document {...input} />)}`, {
    status,
    headers: answer,
  })
}

const digest = (text: string) => `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`
const styleDigest = digest(style)
const scriptDigest = digest(copyScript)

/** What a page does beyond being read. */
interface Allowed {
  readonly copies?: boolean | undefined
  readonly live?: Pick<BuiltPage, 'sheet'> | undefined
}

/**
 * No `form-action`: browsers hold the whole chain of redirects after a form against it, and consent ends at an app of
 * somebody else. `same-origin` and not `no-referrer`: under that browsers send `Origin: null` with our own forms.
 */
export function pageHeaders(origin: string, { copies, live }: Allowed = {}): Record<string, string> {
  const scripts = [...(copies ? [scriptDigest] : []), ...(live ? ["'self'"] : [])].join(' ')
  const script = scripts && ` script-src ${scripts};`
  const connect = live ? " connect-src 'self';" : ''
  const sheet = live?.sheet ? " 'self'" : ''
  return {
    'content-security-policy': `default-src 'none';${script}${connect} style-src ${styleDigest}${sheet}; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(origin.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

function Document({ title, children, frame = stranger, width = 'narrow', copies, live }: PageInput) {
  const { brand, isWhiteLabel, signOut, banner } = frame
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · ${brand}`}</title>
        <link rel="icon" href={isWhiteLabel ? 'data:,' : icon} />
        <style dangerouslySetInnerHTML={{ __html: style }} />
        {live && <Takeover {...live} />}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        {signOut && <Bar {...frame} />}
        {banner}
        <main id="main" class={width}>
          {!signOut && (
            <div class="lone">
              <Brand {...frame} />
            </div>
          )}
          {live ? (
            <div id="page" class="page">
              {children}
            </div>
          ) : (
            children
          )}
        </main>
        {!isWhiteLabel && <footer>Renown</footer>}
        {copies && <script dangerouslySetInnerHTML={{ __html: copyScript }} />}
      </body>
    </html>
  )
}

/** The script waits until the page stands. What the page was made from lies beside it, as text that no browser runs. */
function Takeover({ props, built }: NonNullable<PageInput['live']>) {
  const json = JSON.stringify(props).replaceAll('<', '\\u003c')
  return (
    <>
      {built.sheet !== null && <link rel="stylesheet" href={built.sheet} />}
      {built.preloads.map((href) => (
        <link key={href} rel="modulepreload" href={href} />
      ))}
      <script id="page-props" type="application/json" dangerouslySetInnerHTML={{ __html: json }} />
      <script type="module" src={built.script} />
    </>
  )
}

function Bar(frame: Frame) {
  return (
    <header class="bar">
      <div>
        <Brand {...frame} href="/app" />
        {frame.switcher}
        <Places label="Pages" of={frame.nav} />
        {frame.signOut}
      </div>
      {frame.within && (
        <div class="within">
          <Places label="Settings" of={frame.within} />
        </div>
      )}
    </header>
  )
}

const Places = ({ label, of }: { readonly label: string; readonly of: readonly NavItem[] }) => (
  <nav aria-label={label}>
    <ul>
      {of.map(({ href, label, current }) => (
        <li key={href}>
          <a href={href} aria-current={current ? 'page' : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

function Brand({ brand, isWhiteLabel, href }: Frame & { readonly href?: string }) {
  const inside = (
    <>
      {!isWhiteLabel && <Mark />}
      {brand}
    </>
  )
  return href ? (
    <a class="brand" href={href}>
      {inside}
    </a>
  ) : (
    <span class="brand">{inside}</span>
  )
}

const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><g color="#0b6b63">${renderToString(<Mark bare />)}</g></svg>`,
)}`
