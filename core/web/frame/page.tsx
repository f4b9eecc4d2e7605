/** @jsxImportSource ../kit/jsx */

import { htmlIn } from '../../kit/page-addresses'
import { englishFrame } from '../framework/language'
import type { PageContent } from '../framework/page-content'
import type { frameWords } from '../framework/words'
import type { PageLanguage } from '../kit/browser/page-time'
import { type PageTime, TimeOf } from '../kit/browser/page-time'
import { renderToString } from '../kit/jsx/render'
import { copyScript } from '../kit/parts/copy'
import { Mark } from '../kit/parts/kit'
import { englishPage, LanguageOf, useWords } from '../kit/parts/language'
import { Bell, Bottom, type Desk, Side, Tabs } from './desk/desk'
import { deskScript, listScript } from './desk/desk-asset'
import { Help } from './desk/help'
import { type Appearance, plainLook } from './desk/look'
import { fontAddress, sheetAddress } from './style/sheet'

/** The frame around every page of one visit. */
export interface PageFrame {
  /** The name at the top: the product's, or the agency's on a white-label domain. */
  readonly brand: string
  readonly isWhiteLabel: boolean
  readonly look: Appearance
  /** The language of the frame, which is that of the person. */
  readonly language: PageLanguage
  /** The navigation and the other parts for signed-in people. Null for others. */
  readonly desk: Desk | null
}

/** A page, with what stands around it. */
export interface PageInput extends PageContent {
  /** The requested host. https gets Strict-Transport-Security. */
  readonly host: { readonly origin: string }
  readonly frame?: PageFrame
  /** How times are shown. Default: absolute, in UTC. */
  readonly time?: PageTime
  /** What the addresses of the workspace begin with. Default: nothing. */
  readonly base?: string | undefined
}

const stranger: PageFrame = {
  brand: 'Renown',
  isWhiteLabel: false,
  look: plainLook,
  language: englishFrame,
  desk: null,
}
const utc: PageTime = { timezone: 'UTC', now: null }

/**
 * Returns a whole page. It uses nothing from other hosts, is never stored or framed, and has no script for
 * people who are not signed in.
 */
export function renderPage(input: PageInput): Response {
  const { status = 200, headers, host, copies, live, frame, rules, time = utc, base = '' } = input
  const hasScript = live !== undefined || frame?.desk != null
  const answer = new Headers(headers)
  answer.set('content-type', 'text/html; charset=utf-8')
  for (const [name, value] of Object.entries(
    pageHeaders(host.origin, { copies, hasScript, rules, connects: hasScript }),
  ))
    answer.set(name, value)
  const html = renderToString(
    <TimeOf value={time}>
      <LanguageOf value={(frame ?? stranger).language}>
        <Document {...input} />
      </LanguageOf>
    </TimeOf>,
  )
  return new Response(`<!doctype html>${htmlIn(base, html)}`, { status, headers: answer })
}

const digest = (text: string) => `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`
const scriptDigest = digest(copyScript)

/** The permissions of a page in its content security policy. */
interface Allowed {
  readonly copies?: boolean | undefined
  readonly rules?: string | undefined
  /** Whether it runs scripts of Renown. */
  readonly hasScript?: boolean
  /** Whether it requests data from Renown. */
  readonly connects?: boolean
}

/**
 * Returns the headers of a page. They have no `form-action`, because browsers apply it to redirects after a
 * form, and consent redirects to another app. The referrer policy is `same-origin`. With `no-referrer`,
 * browsers would send `Origin: null` with Renown's own forms.
 */
export function pageHeaders(
  origin: string,
  { copies, hasScript, connects, rules }: Allowed = {},
): Record<string, string> {
  const scripts = [...(copies ? [scriptDigest] : []), ...(hasScript ? ["'self'"] : [])].join(' ')
  const script = scripts && ` script-src ${scripts};`
  const style = rules === undefined ? '' : ` ${digest(rules)}`
  const connect = connects ? " connect-src 'self';" : ''
  return {
    'content-security-policy': `default-src 'none';${script}${connect} style-src 'self'${style}; font-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(origin.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

function Document({
  title,
  children,
  frame = stranger,
  width = 'narrow',
  copies,
  sheet,
  rules,
  live,
  language = englishPage,
}: PageInput) {
  const { brand, isWhiteLabel, desk, look, language: outer } = frame
  const words = useWords<typeof frameWords>()
  // A page whose room lacks the language is in English, and says so inside a frame in another language.
  const inner = language.lang === outer.lang ? undefined : language.lang
  const content = <LanguageOf value={language}>{children}</LanguageOf>
  const { theme, side } = look
  return (
    <html
      lang={outer.lang}
      data-theme={theme === 'auto' ? undefined : theme}
      data-side={side === 'icons' ? side : undefined}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title lang={inner}>{`${title} · ${brand}`}</title>
        <link rel="icon" href={isWhiteLabel ? 'data:,' : icon} />
        <link rel="preload" href={fontAddress} as="font" type="font/woff2" crossorigin="" />
        <link rel="stylesheet" href={sheetAddress} />
        {sheet && <link rel="stylesheet" href={sheet} />}
        {rules !== undefined && <style dangerouslySetInnerHTML={{ __html: rules }} />}
        {live && <Takeover {...live} />}
        {desk && <script type="module" src={deskScript} />}
        {desk && !live && <script type="module" src={listScript} />}
      </head>
      <body
        class={desk ? `desk${desk.navigation.bell ? ' has-bell' : ''}` : undefined}
        data-form-answer={desk?.isFormAnswer ? '' : undefined}
        {...(desk ? scriptWords(desk, words) : {})}
      >
        <a class="skip" href="#main">
          {words('skip')}
        </a>
        {desk && <Side desk={desk} brand={<Brand {...frame} href="/app" />} />}
        {desk && <Bell of={desk.navigation} />}
        <main id="main" class={width} lang={inner}>
          {!desk && (
            <div class="lone">
              <Brand {...frame} />
            </div>
          )}
          {desk && <Tabs of={desk.navigation} lang={inner && outer.lang} />}
          {live ? (
            <div id="page" class="page">
              {content}
            </div>
          ) : (
            content
          )}
        </main>
        {!isWhiteLabel && !desk && <footer>Renown</footer>}
        {desk && <Bottom desk={desk} />}
        {desk?.shortcuts && <Help />}
        {copies && <script dangerouslySetInnerHTML={{ __html: copyScript }} />}
      </body>
    </html>
  )
}

/** What the script of the frame says, and whose typed texts it keeps. */
const scriptWords = ({ personKey }: Desk, words: ReturnType<typeof useWords<typeof frameWords>>) => ({
  'data-person': personKey,
  'data-unsaved': words.text('unsaved'),
  'data-lost': words.text('lost'),
  'data-restored': words.text('typedRestored'),
  'data-other': words.text('typedOther'),
  'data-use': words.text('typedUse'),
  'data-discard': words.text('typedDiscard'),
})

/**
 * The script for hydration, which runs after the page is parsed. The props are next to it, as text that no
 * browser runs.
 */
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

function Brand({ brand, isWhiteLabel, href }: PageFrame & { readonly href?: string }) {
  const inside = (
    <>
      {!isWhiteLabel && <Mark />}
      <span class="label">{brand}</span>
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
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><g color="#0f766e">${renderToString(<Mark bare />)}</g></svg>`,
)}`
