import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { parseJson } from 'renown/contracts'
import * as v from 'valibot'
import { testKeys } from './claim'

/** The algorithms of RFC 9421 that are accepted. Secrets that two parties share (HMAC) identify nobody. */
const algorithms = { OKP: 'ed25519', RSA: 'rsa-pss-sha512' } as const

const base64url = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,1400}$/))
const seconds = v.pipe(v.number(), v.finite(), v.minValue(0))
/** The public part of a key, as a directory has it. Everything else is dropped. */
export const publicKeySchema = v.variant('kty', [
  v.object({ kty: v.literal('OKP'), crv: v.literal('Ed25519'), x: v.pipe(base64url, v.length(43)) }),
  v.object({
    kty: v.literal('RSA'),
    n: v.pipe(base64url, v.minLength(340)),
    e: v.pipe(base64url, v.maxLength(8)),
  }),
])
export type PublicKey = v.InferOutput<typeof publicKeySchema>

const validity = { use: v.optional(v.string()), nbf: v.optional(seconds), exp: v.optional(seconds) }
const listedSchema = v.variant('kty', [
  v.object({ ...publicKeySchema.options[0].entries, ...validity }),
  v.object({ ...publicKeySchema.options[1].entries, ...validity }),
])
const directorySchema = v.object({ keys: v.array(v.unknown()) })

/** A usable key of a directory. Times are milliseconds since the epoch. */
export interface ListedKey {
  readonly keyid: string
  readonly key: PublicKey
  readonly from: number | null
  readonly until: number | null
}

const keysMax = 32

/**
 * Returns the usable keys of a directory. Keys of other types, for other uses and published test keys are left
 * out. Throws if the text is not a directory, or if no key is usable.
 */
export function readDirectory(text: string): ListedKey[] {
  let parsed: unknown
  try {
    parsed = parseJson(text)
  } catch {
    throw new Error('the directory is not JSON')
  }
  const directory = v.safeParse(directorySchema, parsed)
  if (!directory.success) throw new Error('the directory has no keys')
  if (directory.output.keys.length > keysMax) throw new Error(`the directory has more than ${keysMax} keys`)
  const keys = directory.output.keys.flatMap(listedKey)
  if (keys.length === 0) throw new Error('the directory has no usable key')
  return keys
}

function listedKey(written: unknown): ListedKey[] {
  const found = v.safeParse(listedSchema, written)
  if (!found.success) return []
  const { use, nbf, exp, ...key } = found.output
  const keyid = thumbprint(key)
  if ((use !== undefined && use !== 'sig') || testKeys.has(keyid) || !keyObject(key)) return []
  return [{ keyid, key, from: millisecondsOf(nbf), until: millisecondsOf(exp) }]
}

/** Some signers write milliseconds. */
const millisecondsOf = (time: number | undefined): number | null =>
  time === undefined ? null : time > 1e11 ? time : time * 1_000

/** Returns the SHA-256 thumbprint of a key (RFC 7638). */
export function thumbprint(key: PublicKey): string {
  const members =
    key.kty === 'OKP' ? { crv: key.crv, kty: key.kty, x: key.x } : { e: key.e, kty: key.kty, n: key.n }
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url')
}

/** Returns the key for `isSignedBy`, or null if its numbers are not a key. */
export function keyObject(key: PublicKey): KeyObject | null {
  try {
    return createPublicKey({ key, format: 'jwk' })
  } catch {
    return null
  }
}

/** Returns the name of a key's algorithm in signatures. */
export const algorithmOf = ({ kty }: Pick<PublicKey, 'kty'>): string => algorithms[kty]

const saltBytes = 64

/** Whether a key made this signature over a text. */
export function isSignedBy(key: KeyObject, text: string, signature: Buffer): boolean {
  const data = Buffer.from(text, 'latin1')
  try {
    if (key.asymmetricKeyType === 'ed25519') return verify(null, data, key, signature)
    // 6 is RSA_PKCS1_PSS_PADDING.
    return verify('sha512', data, { key, padding: 6, saltLength: saltBytes }, signature)
  } catch {
    return false
  }
}
