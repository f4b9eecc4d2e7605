const lengthMax = 2_048
/** Bytes that an address may contain. No quotes, spaces, backslashes or control characters. */
const addressForm = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/
const loopbackForm = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(\/[^?]*)?(\?.*)?$/
const privateForm = /^([a-z][a-z0-9+.-]*):\/./

/**
 * Schemes of known apps that are not a reversed domain name. Any other is refused without a dot in it (RFC 8252
 * §7.1): such schemes run code, read local files, or start programs of the system.
 */
const knownSchemes = new Set([
  'cursor',
  'vscode',
  'vscode-insiders',
  'vscodium',
  'windsurf',
  'zed',
  'kiro',
  'trae',
  'void',
  'positron',
  'claude',
  'chatgpt',
  'codex',
  'raycast',
  'warp',
  'goose',
  'cherrystudio',
  'msty',
  'boltai',
  'jan',
])

/** Returns why an address cannot be registered, or undefined if it can. */
export function redirectFault(uri: string): string | undefined {
  if (uri.length === 0 || uri.length > lengthMax)
    return `has no length of 1 to ${lengthMax.toLocaleString('en')}`
  if (!addressForm.test(uri)) return 'contains a character that must be escaped'
  if (uri.includes('#')) return 'contains a fragment'
  if (uri.startsWith('https://')) return httpsFault(uri)
  if (uri.startsWith('http:')) {
    return loopback(uri) ? undefined : 'uses http but is not localhost, 127.0.0.1 or [::1]'
  }
  const scheme = privateForm.exec(uri)?.[1]
  if (scheme === undefined) return 'must be https, http on loopback, or an app scheme such as myapp:/callback'
  if (knownSchemes.has(scheme) || /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$/.test(scheme)) return undefined
  return `has the scheme ${scheme}. Use a reversed domain name, such as com.example.app:/callback`
}

/**
 * Whether an address matches a registered one: the same text, or on loopback the same text except for the
 * port (RFC 8252 §7.3).
 */
export const matchesRedirect = (registered: readonly string[], given: string): boolean =>
  redirectFault(given) === undefined &&
  registered.some((one) => one === given || sameLoopback(loopback(one), loopback(given)))

/** Whether the address is on the person's own machine, where any program may listen. */
export const isLoopback = (uri: string): boolean => loopback(uri) !== null

/** Returns the part of a redirect address that a person sees: its host or its app scheme. */
export function redirectHost(uri: string): string {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//`.replace(/\/\/$/, '')
}

/** Adds an answer to an address. `state` is returned unchanged. */
export function withAnswer(
  uri: string,
  answer: Readonly<Record<string, string>>,
  state: string | undefined,
): string {
  const query = new URLSearchParams(answer).toString()
  const echoed = state === undefined ? '' : `&state=${state}`
  const mark = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&'
  return `${uri}${mark}${query}${echoed}`
}

function httpsFault(uri: string): string | undefined {
  const [authority = ''] = uri.replace('https://', '').split(/[/?]/)
  if (authority.includes('@')) return 'contains a user name'
  const url = URL.parse(uri)
  if (url === null) return 'is not an address'
  // False if a browser and a person would read different hosts, because of escapes or unusual notations.
  const isPlain = url.host === authority.toLowerCase().replace(/:443$/, '')
  return isPlain ? undefined : 'has a host with escapes or non-ASCII letters'
}

interface Loopback {
  readonly host: string
  readonly rest: string
}

function loopback(uri: string): Loopback | null {
  const found = addressForm.test(uri) && !uri.includes('#') ? loopbackForm.exec(uri) : null
  if (!found || Number(found[2]) > 65_535) return null
  const [, host = '', , path = '/', query = ''] = found
  return { host, rest: `${path}${query}` }
}

const sameLoopback = (a: Loopback | null, b: Loopback | null) =>
  a !== null && b !== null && a.host === b.host && a.rest === b.rest
