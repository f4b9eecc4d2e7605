import { splitAddress } from '../../core/kit/page-addresses'
import { firefox } from './signed-in'

type Ask = (request: Request) => Promise<Response>

/** One page as a visitor sees it. */
export interface SeenPage {
  readonly status: number
  readonly path: string
  readonly html: string
  readonly headers: Headers
  /** The text of a page without its marks. */
  readonly text: string
}

/** Somebody with a browser without a script: keeps cookies, follows redirects, fills in the forms that are there. */
export interface Visitor {
  readonly cookies: Map<string, string>
  open(path: string): Promise<SeenPage>
  /**
   * Sends the form of the page seen last that goes to `action`, its unseen fields along with these. `index` says which,
   * where a page has several with that action.
   */
  submit(
    action: string,
    fields?: Readonly<Record<string, string | readonly string[]>>,
    index?: number,
  ): Promise<SeenPage>
}

export function createVisitor(ask: Ask, origin = 'http://localhost:3000'): Visitor {
  const cookies = new Map<string, string>()
  let seen: SeenPage | null = null

  const send = async (path: string, init: RequestInit = {}): Promise<SeenPage> => {
    const headers = new Headers(init.headers)
    headers.set('host', new URL(origin).host)
    headers.set('user-agent', firefox)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    const response = await ask(new Request(`${origin}${path}`, { ...init, headers, redirect: 'manual' }))
    for (const cookie of response.headers.getSetCookie()) keep(cookies, cookie)
    const location = response.headers.get('location')
    if (location?.startsWith('/') && response.status === 303) return send(location.replace(/#.*/, ''))
    const html = await response.text()
    const text = html.replaceAll(/<style>.*?<\/style>|<[^>]+>/gs, ' ').replaceAll(/\s+/g, ' ')
    seen = { status: response.status, path, html, headers: response.headers, text: unescaped(text) }
    return seen
  }
  return {
    cookies,
    open: (path) => send(path),
    submit(action, fields = {}, index = 0) {
      const form = formsOf(seen?.html ?? '').filter((each) => pageOf(each.action) === pageOf(action))[index]
      if (!form) throw new Error(`${seen?.path} has no form to ${action}: ${seen?.text}`)
      return send(form.action, {
        method: 'POST',
        body: encoded({ ...form.fields, ...fields }),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin,
          'sec-fetch-site': 'same-origin',
        },
      })
    },
  }
}

/** The page of an address, whichever workspace the address names. */
function pageOf(address: string): string {
  const [path = '', search] = address.split('?', 2)
  const page = splitAddress(path).path
  return search === undefined ? page : `${page}?${search}`
}

/** As a browser sends a form: a field with several values comes several times. */
function encoded(fields: Readonly<Record<string, string | readonly string[]>>): string {
  const sent = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) sent.append(name, one)
  return sent.toString()
}

function keep(cookies: Map<string, string>, header: string) {
  const [pair = '', ...attributes] = header.split('; ')
  const at = pair.indexOf('=')
  if (attributes.includes('Max-Age=0')) cookies.delete(pair.slice(0, at))
  else cookies.set(pair.slice(0, at), pair.slice(at + 1))
}

function formsOf(html: string) {
  return [...html.matchAll(/<form\b[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].flatMap(
    ([, action = '', inside = '']) => {
      const fields = Object.fromEntries(
        [...inside.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
          unescaped(/name="([^"]*)"/.exec(input)?.[1] ?? ''),
          unescaped(/value="([^"]*)"/.exec(input)?.[1] ?? ''),
        ]),
      )
      // A button can send the form to another address.
      const others = [...inside.matchAll(/<button\b[^>]*formaction="([^"]*)"/g)].map(([, to = '']) => to)
      return [action, ...others].map((to) => ({ action: unescaped(to), fields }))
    },
  )
}

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
