/** @jsxImportSource ./jsx */

import { copyScript } from './copy'
import type { Children } from './jsx/jsx-runtime'
import { renderToString } from './jsx/render'
import { Mark } from './kit'
import { style } from './style'

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
}

const stranger: Frame = { brand: 'Renown', isWhiteLabel: false, nav: [] }

/** A whole page as an answer: no script, nothing from elsewhere, never stored, never framed. */
export function renderPage(input: PageInput): Response {
  const { status = 200, headers, host, copies = false } = input
  const answer = new Headers(headers)
  answer.set('content-type', 'text/html; charset=utf-8')
  for (const [name, value] of Object.entries(pageHeaders(host.origin, copies))) answer.set(name, value)
  return new Response(`<!doctype html>${renderToString(<Document {...input} />)}`, {
    status,
    headers: answer,
  })
}

const digest = (text: string) => `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`
const styleDigest = digest(style)
const scriptDigest = digest(copyScript)

/**
 * No `form-action`: browsers hold the whole chain of redirects after a form against it, and consent ends at an app of
 * somebody else. `same-origin` and not `no-referrer`: under that browsers send `Origin: null` with our own forms.
 */
export function pageHeaders(origin: string, copies = false): Record<string, string> {
  const script = copies ? ` script-src ${scriptDigest};` : ''
  return {
    'content-security-policy': `default-src 'none';${script} style-src ${styleDigest}; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(origin.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

function Document({ title, children, frame = stranger, width = 'narrow', copies }: PageInput) {
  const { brand, isWhiteLabel, signOut } = frame
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · ${brand}`}</title>
        <link rel="icon" href={isWhiteLabel ? 'data:,' : icon} />
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        {signOut && <Bar {...frame} />}
        <main id="main" class={width}>
          {!signOut && (
            <div class="lone">
              <Brand {...frame} />
            </div>
          )}
          {children}
        </main>
        {!isWhiteLabel && <footer>Renown</footer>}
        {copies && <script dangerouslySetInnerHTML={{ __html: copyScript }} />}
      </body>
    </html>
  )
}

function Bar(frame: Frame) {
  return (
    <header class="bar">
      <div>
        <Brand {...frame} href="/app" />
        <nav aria-label="Pages">
          <ul>
            {frame.nav.map(({ href, label, current }) => (
              <li key={href}>
                <a href={href} aria-current={current ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {frame.signOut}
      </div>
    </header>
  )
}

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
