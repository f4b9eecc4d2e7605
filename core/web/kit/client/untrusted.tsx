/** @jsxImportSource ../jsx */
import { readablePath } from '../../../kit/readable-path'
import type { Children } from '../jsx/jsx-runtime'
import { Moment } from '../parts/kit'

/** A link to a page of a stranger: only http and https, without a name or a password in it. Otherwise plain text. */
export function OutLink({ href, children }: { readonly href: string; readonly children?: Children }) {
  const url = URL.parse(href)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return <bdi>{href}</bdi>
  return (
    <a href={url.href} rel="noopener noreferrer nofollow">
      {children ?? <bdi dir="ltr">{brief(url)}</bdi>}
    </a>
  )
}

const briefMax = 80

/** Returns the address. Its host is in ASCII form, so that look-alike letters are visible. Its path and query are shown as people read them. */
function brief({ host, pathname, search }: URL): string {
  const text = `${host}${readablePath(`${pathname === '/' ? '' : pathname}${search}`)}`
  return text.length > briefMax ? `${text.slice(0, briefMax)}…` : text
}

/** A text of a stranger. Keeps its line breaks and its direction. */
export const Text = ({ children }: { readonly children: string }) => (
  <p class="lines" dir="auto">
    {children}
  </p>
)

const depthMax = 3
const shownMax = 50
const inLineMax = 12

interface ValueProps {
  readonly of: unknown
  readonly depth?: number
}

/** A value of unknown type from outside, as text. A missing value is shown as unknown, never as 0. */
export function Value({ of: value, depth = 0 }: ValueProps) {
  if (value === null || value === undefined || value === '') return <>unknown</>
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>
  if (typeof value === 'number') return <>{value.toLocaleString('en', { maximumFractionDigits: 2 })}</>
  if (isInstant(value)) return <Moment at={value} />
  if (typeof value !== 'object')
    return <bdi>{snake.test(String(value)) ? wordsOf(String(value)) : String(value)}</bdi>
  const share = shareOf(value)
  if (share !== null) return <>{share}</>
  const entries = Array.isArray(value)
    ? value.map((each): [string, unknown] => ['', each])
    : Object.entries(value)
  if (entries.length === 0) return <>none</>
  if (depth === depthMax) return <>…</>
  const shown = entries
    .slice(0, shownMax)
    .map(([key, each], place) => <Entry key={place} name={key} of={each} depth={depth + 1} />)
  const isFlat = entries.length <= inLineMax && entries.every(([, each]) => typeof each !== 'object')
  if (isFlat) return <>{shown.flatMap((each, place) => (place === 0 ? [each] : [', ', each]))}</>
  return (
    <ul class="plain">
      {shown.map((each, place) => (
        <li key={place}>{each}</li>
      ))}
      {entries.length > shownMax && <li class="hint">{`and ${entries.length - shownMax} more`}</li>}
    </ul>
  )
}

const Entry = ({ name, ...value }: ValueProps & { readonly name: string }) => (
  <>
    {name !== '' && <bdi class="hint">{`${wordsOf(name)}: `}</bdi>}
    <Value {...value} />
  </>
)

const snake = /^[a-z]+(_[a-z]+)+$/
/** Whether a value from outside is a valid instant. */
export const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && instant.test(value) && !Number.isNaN(Date.parse(value))

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/

/** Formats a rate: k of n, and the share. */
function shareOf(value: object): string | null {
  const { k, n, rate } = value as { k?: unknown; n?: unknown; rate?: unknown }
  if (typeof k !== 'number' || typeof n !== 'number') return null
  return typeof rate === 'number' ? `${k} of ${n} (${Math.round(rate * 100)} %)` : 'unknown: there are none'
}

/** Returns a name in snake_case as words. */
export const wordsOf = (name: string) => name.replaceAll('_', ' ')

/** Returns a name in snake_case as words, with a capital letter at the start. */
export const titleOf = (name: string) => {
  const words = wordsOf(name)
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}
