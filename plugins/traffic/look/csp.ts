/** Whether a page's content security policies allow an address. */
export interface Question {
  /** Policies as sent. One text can contain several, separated by commas. */
  readonly policies: readonly string[]
  readonly kind: 'script' | 'connect'
  readonly address: URL
  /** The address of the page. */
  readonly page: URL
  /** The nonce of the script's tag. */
  readonly nonce?: string
}

/** Returns the directive that forbids the address, as written, or null if all policies allow it. */
export function forbiddenBy({ policies, kind, ...asked }: Question): string | null {
  for (const policy of policies.flatMap((text) => text.split(','))) {
    const directives = directivesOf(policy)
    const name = asks[kind].find((each) => directives.has(each))
    if (name === undefined) continue
    const sources = directives.get(name) ?? []
    if (!allows(kind, sources, asked)) return [name, ...sources].join(' ')
  }
  return null
}

/** The directives that can decide, most specific first. */
const asks = {
  script: ['script-src-elem', 'script-src', 'default-src'],
  connect: ['connect-src', 'default-src'],
} as const

/** Returns the directives of a policy. If one is named twice, the first counts. */
function directivesOf(policy: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const part of policy.split(';')) {
    const [name = '', ...sources] = part.trim().split(/\s+/)
    if (name !== '' && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), sources)
  }
  return found
}

type Asked = Omit<Question, 'policies' | 'kind'>

function allows(kind: Question['kind'], sources: readonly string[], asked: Asked): boolean {
  if (kind === 'script') {
    if (asked.nonce && sources.includes(`'nonce-${asked.nonce}'`)) return true
    if (sources.some((source) => source.toLowerCase() === "'strict-dynamic'")) return false
  }
  return sources.some((source) => matches(source, asked))
}

function matches(source: string, { address, page }: Asked): boolean {
  if (source === '*') return /^https?:$/.test(address.protocol)
  if (source.toLowerCase() === "'self'")
    return address.hostname === page.hostname && isSameOrSafer(address, page.protocol, page.port)
  if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return isScheme(address, source.toLowerCase())
  const parts = /^(?:([a-z][a-z0-9+.-]*:)\/\/)?([^/:'?#]+)(?::(\d+|\*))?(\/[^?#]*)?$/i.exec(source)
  if (!parts) return false
  const [, scheme = page.protocol, host = '', port = '', path = ''] = parts
  return (
    isScheme(address, scheme.toLowerCase()) &&
    isHost(address.hostname, host.toLowerCase()) &&
    (port === '*' || (port === '' ? address.port === '' : isPort(address, port))) &&
    isPath(address.pathname, path)
  )
}

/** Whether a scheme matches. A page without TLS also matches https. */
const isScheme = ({ protocol }: URL, scheme: string) =>
  protocol === scheme || (scheme === 'http:' && protocol === 'https:')

const isSameOrSafer = (address: URL, scheme: string, port: string) =>
  (address.protocol === scheme && address.port === port) ||
  (scheme === 'http:' && address.protocol === 'https:' && address.port === '' && port === '')

const isHost = (host: string, wanted: string) =>
  wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted

const isPort = ({ port, protocol }: URL, wanted: string) =>
  port === wanted || (port === '' && wanted === (protocol === 'https:' ? '443' : '80'))

const isPath = (path: string, wanted: string) =>
  wanted === '' || (wanted.endsWith('/') ? path.startsWith(wanted) : path === wanted)
