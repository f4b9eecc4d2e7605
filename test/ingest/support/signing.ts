import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { thumbprint } from '../../../ingest/judge/signature/keys'

/** A signer of the tests. It builds its signatures as text, and shares no code with the verifier but the thumbprint. */
export interface TestSigner {
  readonly keyid: string
  /** The entry of its directory. */
  readonly jwk: Record<string, unknown>
  readonly alg: string
  sign(base: string): string
}

export function createSigner(type: 'ed25519' | 'rsa' = 'ed25519'): TestSigner {
  const pair =
    type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519')
  const jwk = pair.publicKey.export({ format: 'jwk' }) as never
  return {
    keyid: thumbprint(jwk),
    jwk: { ...(jwk as object), kid: thumbprint(jwk), use: 'sig' },
    alg: type === 'rsa' ? 'rsa-pss-sha512' : 'ed25519',
    sign: (base) => signed(pair.privateKey, base).toString('base64'),
  }
}

function signed(key: KeyObject, base: string): Buffer {
  const data = Buffer.from(base)
  return key.asymmetricKeyType === 'rsa'
    ? sign('sha512', data, { key, padding: 6, saltLength: 64 })
    : sign(null, data, key)
}

export interface Signing {
  /** The signer's address. */
  readonly agent?: string
  /** The form of earlier drafts: one string instead of a dictionary. */
  readonly isLegacy?: boolean
  readonly authority?: string
  /** Components with their values, before the signer's own. */
  readonly covered?: readonly (readonly [component: string, value: string])[]
  /** Seconds since 1970. */
  readonly created: number
  readonly expires?: number
  readonly params?: string
  readonly tag?: string
  readonly keyid?: string
}

/** Returns the three header fields of a signed request. */
export function signedHeaders(signer: TestSigner, signing: Signing) {
  const { agent = 'https://chatgpt.com', isLegacy = false, authority = 'example.com', created } = signing
  const { covered = [['"@authority"', authority]], expires = created + 300, params = '' } = signing
  const own = isLegacy ? '"signature-agent"' : '"signature-agent";key="sig1"'
  const components = [...covered, [own, `"${agent}"`] as const]
  const input =
    `(${components.map(([name]) => name).join(' ')});created=${created};expires=${expires}` +
    `;keyid="${signing.keyid ?? signer.keyid}";alg="${signer.alg}"${params};tag="${signing.tag ?? 'web-bot-auth'}"`
  const base = [...components, ['"@signature-params"', input]]
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
  return {
    agent: isLegacy ? `"${agent}"` : `sig1="${agent}"`,
    input: `sig1=${input}`,
    signature: `sig1=:${signer.sign(base)}:`,
  }
}
