import {
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { parseJson } from '../../contracts/bounded-json'
import { dayMs } from '../../contracts/time'

/** A key that signs Renown's own requests. */
export interface SigningKey {
  /** The SHA-256 thumbprint of the public part (RFC 7638). */
  readonly keyid: string
  readonly object: KeyObject
  /** The entry of the published directory. */
  readonly jwk: Readonly<Record<string, string>>
  /** When it was created, RFC 3339. Null if it is made from `SECRETS_KEY`. */
  readonly created_at: string | null
  /** When another key replaced it. Null for the one that signs. */
  readonly retired_at: string | null
}

export interface SigningKeysOptions {
  /** `SECRETS_KEY`. The first key makes the one that signs, if processes share a store. */
  readonly secrets: readonly string[]
  /** The data folder. Null if processes share a store. */
  readonly folder: string | null
  readonly now: () => Date
}

/** The keys of this installation. The one that signs is first. */
export interface SigningKeys {
  /** Empty if processes share a store and `SECRETS_KEY` is not set. Creates the first key. */
  list(): readonly SigningKey[]
  /** Creates a new key and retires the old one. Null if the keys are made from `SECRETS_KEY`. */
  rotate(): readonly SigningKey[] | null
}

const seedBytes = 32
/** Sites verify old log lines, so a retired key stays published for this long. */
const publishedMs = 30 * dayMs

const fileSchema = v.object({
  keys: v.array(v.object({ seed: v.string(), created_at: v.string(), retired_at: v.nullable(v.string()) })),
})
type Stored = v.InferOutput<typeof fileSchema>['keys'][number]

/** Creates the keys. They are in a file of the data folder with mode 0600, or made from `SECRETS_KEY`. */
export function createSigningKeys({ secrets, folder, now }: SigningKeysOptions): SigningKeys {
  if (folder === null) {
    const keys = secrets.map((text, place) => keyOf(derived(text), null, place === 0 ? null : 'earlier'))
    return { list: () => keys, rotate: () => null }
  }
  const file = join(folder, 'signing.keys')
  let known: readonly Stored[] | null = null
  let keys: readonly SigningKey[] = []
  const use = (stored: readonly Stored[]) => {
    known = stored
    keys = stored.map(({ seed, created_at, retired_at }) =>
      keyOf(Buffer.from(seed, 'base64url'), created_at, retired_at),
    )
    return keys
  }
  const create = (): Stored => ({
    seed: randomBytes(seedBytes).toString('base64url'),
    created_at: now().toISOString(),
    retired_at: null,
  })
  const write = (stored: readonly Stored[]) => {
    const temporary = `${file}.tmp`
    writeFileSync(temporary, `${JSON.stringify({ keys: stored }, null, 2)}\n`, { mode: 0o600 })
    renameSync(temporary, file)
    return use(stored)
  }
  const list = () => {
    if (known) return keys
    if (!existsSync(file)) return write([create()])
    chmodSync(file, 0o600)
    return use(v.parse(fileSchema, parseJson(readFileSync(file, 'utf8'))).keys)
  }
  return {
    list,
    rotate() {
      list()
      const at = now()
      const retired = (known ?? []).map((key) => ({ ...key, retired_at: key.retired_at ?? at.toISOString() }))
      const fresh = retired.filter(({ retired_at }) => at.getTime() - Date.parse(retired_at) <= publishedMs)
      return write([create(), ...fresh])
    },
  }
}

const derived = (text: string): Buffer =>
  Buffer.from(hkdfSync('sha256', text, '', 'renown message signatures', seedBytes))

/** The beginning of a private Ed25519 key in PKCS #8 (RFC 8410), before its 32 bytes. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

function keyOf(seed: Buffer, created_at: string | null, retired_at: string | null): SigningKey {
  const object = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(object).export({ format: 'jwk' })
  const keyid = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
  const jwk = { kty: 'OKP', crv: 'Ed25519', kid: keyid, x, use: 'sig' }
  return { keyid, object, jwk, created_at, retired_at }
}
