import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import * as v from 'valibot'
import { type AgentRegistry, agentRegistrySchema, registryBytesMax } from '../contracts/agent-registry'
import { JsonExcess, parseJson } from '../contracts/bounded-json'

/** The first line of a signed registry. It is signed too, so that a signature is valid for nothing else. */
const heading = 'renown-registry 1\n'
const keyPattern = /^[A-Za-z0-9_-]{43}$/
const signaturesMax = 4

/** An Ed25519 key as base64url: the public part that installations trust, and the private part that signs. */
export interface RegistryKey {
  readonly id: string
  readonly public_key: string
  readonly private_key: string
}

/** Creates a key for signing registries. */
export function createRegistryKey(): RegistryKey {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return { id: registryKeyId(x), public_key: x, private_key: `${d}.${x}` }
}

/** Whether a text is a public key as `createRegistryKey` writes it. */
export const isRegistryKey = (text: string): boolean => keyPattern.test(text)

/** Returns the short name of a public key. Signatures are found by it. */
export const registryKeyId = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex').slice(0, 16)

/** Signs the text of a registry. A file that is signed already gets one more signature. Throws if the key is invalid. */
export function signRegistry(text: string, privateKey: string): string {
  const [d = '', x = ''] = privateKey.trim().split('.')
  if (!keyPattern.test(d) || !keyPattern.test(x))
    throw new Error('The private key is not one of `registry key create`.')
  const { signatures, body } = text.startsWith(heading) ? partsOf(text) : { signatures: [], body: text }
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' })
  const own = `${registryKeyId(x)} ${sign(null, Buffer.from(heading + body), key).toString('base64url')}`
  const others = signatures
    .filter(({ key }) => key !== registryKeyId(x))
    .map(({ key, value }) => `${key} ${value}`)
  return `${heading}${[...others, own].join('\n')}\n\n${body}`
}

export interface OpenedRegistry {
  readonly registry: AgentRegistry
  /** The public key whose signature is valid. */
  readonly key: string
}

/**
 * Reads a signed registry. Throws an Error that says why it cannot be used. The message quotes only what the schema
 * accepts.
 */
export function openRegistry(bytes: Uint8Array, keys: readonly string[]): OpenedRegistry {
  if (bytes.byteLength > registryBytesMax) throw new Error(`has more than ${registryBytesMax} bytes`)
  const { signatures, body } = partsOf(decoded(bytes))
  const signed = Buffer.from(heading + body)
  const known = new Map(keys.map((key) => [registryKeyId(key), key]))
  const key = signatures
    .map((each) => isValid(each, known.get(each.key), signed))
    .find((found) => found !== null)
  if (!key) throw new Error('has no valid signature of a trusted key')
  return { registry: readRegistry(body), key }
}

/** Reads the text of a registry without signatures. Throws an Error that says what is wrong. */
export function readRegistry(text: string): AgentRegistry {
  let parsed: unknown
  try {
    parsed = parseJson(text)
  } catch (error) {
    // The message of the parser would quote the text, which may be a private key by mistake.
    throw new Error(error instanceof JsonExcess ? error.message : 'is not JSON')
  }
  const read = v.safeParse(agentRegistrySchema, parsed)
  if (read.success) return read.output
  const [issue] = read.issues
  const path = v.getDotPath(issue)
  throw new Error(
    path === null ? issue.message : `has an invalid ${path}: expected ${issue.message.slice(0, 200)}`,
  )
}

/** Returns the text of a file without its signatures. */
export const unsignedText = (text: string): string => (text.startsWith(heading) ? partsOf(text).body : text)

interface Signature {
  readonly key: string
  readonly value: string
}

function isValid({ value }: Signature, key: string | undefined, signed: Buffer): string | null {
  if (key === undefined) return null
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' })
  return verify(null, signed, publicKey, Buffer.from(value, 'base64url')) ? key : null
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error('is not UTF-8')
  }
}

function partsOf(text: string): { signatures: Signature[]; body: string } {
  const end = text.indexOf('\n\n')
  if (!text.startsWith(heading) || end === -1) throw new Error('is not a signed registry')
  const lines = text.slice(heading.length, end).split('\n')
  const signatures = lines.map((line) => {
    const [, key = '', value = ''] = /^([0-9a-f]{16}) ([A-Za-z0-9_-]{86})$/.exec(line) ?? []
    return { key, value }
  })
  if (signatures.length > signaturesMax || signatures.some(({ key }) => key === ''))
    throw new Error('is not a signed registry')
  return { signatures, body: text.slice(end + 2) }
}
