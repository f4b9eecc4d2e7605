import { createHash, randomBytes, sign } from 'node:crypto'
import { createSigningKeys, type SigningKey, type SigningKeys, type SigningKeysOptions } from './signing-keys'

/** Signs Renown's own requests (Web Bot Auth, RFC 9421), so that sites can recognize them. */
export interface FetchSigner {
  /** Returns the headers of a signed request to this address. Empty if the gateway has no public address. */
  sign(url: URL): Readonly<Record<string, string>>
  /** Returns the published keys, signed by each of them. Null if the gateway has no public address. */
  directory(): SignedDirectory | null
  status(): SigningStatus
  /** Creates a new key. The old one stays published for 30 days. */
  rotate(): SigningStatus
}

export interface SignedDirectory {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** What an operator sees about the keys. It has no secrets. */
export interface SigningStatus {
  /** The public address that requests name as their signer. Null if requests are not signed. */
  readonly signer: string | null
  readonly keys: readonly Pick<SigningKey, 'keyid' | 'created_at' | 'retired_at'>[]
  /** Why the keys were not rotated, or why requests are not signed. */
  readonly reason: string | null
}

export interface FetchSignerOptions extends SigningKeysOptions {
  /** `RENOWN_URL`, or empty. */
  readonly origin: string
}

/** The path of the directory. */
export const directoryPath = '/.well-known/http-message-signatures-directory'
const directoryType = 'application/http-message-signatures-directory+json'
const requestSeconds = 300
const directorySeconds = 24 * 3_600

const noAddress = 'Requests are not signed, because RENOWN_URL is not a public address with https.'
const noKeys = 'Requests are not signed, because several processes share the data and SECRETS_KEY is not set.'
const notHere =
  'The key is made from SECRETS_KEY. Put a new key before the others there, and keep the old ones.'

/** Creates the signer. Without a public address it does nothing and creates no key. */
export function createFetchSigner({ origin, ...options }: FetchSignerOptions): FetchSigner {
  const signer = publicOrigin(origin)
  const keys: SigningKeys =
    signer === null ? { list: () => [], rotate: () => [] } : createSigningKeys(options)
  const status = (reason: string | null = null): SigningStatus => ({
    signer: keys.list().length > 0 ? signer : null,
    keys: keys.list().map(({ keyid, created_at, retired_at }) => ({ keyid, created_at, retired_at })),
    reason: signer === null ? noAddress : keys.list().length === 0 ? noKeys : reason,
  })
  const seconds = () => Math.floor(options.now().getTime() / 1_000)
  return {
    sign(url) {
      const [key] = keys.list()
      return key && signer ? signedRequest(key, signer, url, seconds()) : {}
    },
    directory() {
      const all = keys.list()
      return signer !== null && all.length > 0 ? signedDirectory(all, new URL(signer).host, seconds()) : null
    },
    status,
    rotate: () => status(keys.rotate() === null ? notHere : null),
  }
}

/** Returns the origin if it is public. A site cannot fetch the keys from any other. */
function publicOrigin(origin: string): string | null {
  const url = URL.parse(origin)
  if (url?.protocol !== 'https:' || url.port !== '') return null
  return url.hostname === 'localhost' || /^\[|^[\d.]+$/.test(url.hostname) ? null : url.origin
}

function signedRequest(key: SigningKey, signer: string, { host }: URL, now: number) {
  const agent = `"${signer}"`
  const nonce = randomBytes(32).toString('base64')
  const components = [
    ['"@authority"', host],
    ['"signature-agent";key="sig1"', agent],
  ] as const
  const params = parameters(key, now, requestSeconds, `;nonce="${nonce}";tag="web-bot-auth"`)
  const { input, signature } = signedWith(key, components, params)
  return {
    'signature-agent': `sig1=${agent}`,
    'signature-input': `sig1=${input}`,
    signature: `sig1=:${signature}:`,
  }
}

function signedDirectory(keys: readonly SigningKey[], host: string, now: number): SignedDirectory {
  const body = JSON.stringify({ keys: keys.map(({ jwk }) => jwk) })
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
  const components = [
    ['"@authority";req', host],
    ['"content-digest"', digest],
  ] as const
  const made = keys.map((key, place) => {
    const params = parameters(key, now, directorySeconds, ';tag="http-message-signatures-directory"')
    return { label: `sig${place + 1}`, ...signedWith(key, components, params) }
  })
  return {
    body,
    headers: {
      'content-type': directoryType,
      'content-digest': digest,
      'cache-control': 'public, max-age=3600',
      'signature-input': made.map(({ label, input }) => `${label}=${input}`).join(', '),
      signature: made.map(({ label, signature }) => `${label}=:${signature}:`).join(', '),
    },
  }
}

const parameters = ({ keyid }: SigningKey, now: number, seconds: number, more: string) =>
  `;created=${now};expires=${now + seconds};keyid="${keyid}";alg="ed25519"${more}`

/** Signs components with their values, in the form of RFC 9421. */
function signedWith(
  { object }: SigningKey,
  components: readonly (readonly [name: string, value: string])[],
  params: string,
) {
  const input = `(${components.map(([name]) => name).join(' ')})${params}`
  const lines = [...components, ['"@signature-params"', input] as const]
  const base = lines.map(([name, value]) => `${name}: ${value}`).join('\n')
  return { input, signature: sign(null, Buffer.from(base), object).toString('base64') }
}
