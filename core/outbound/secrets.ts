import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SealedPlace, Secrets } from '../contracts/outbound'
import { StartError } from '../process/start-error'

const keyBytes = 32
const ivBytes = 12
const tagBytes = 16
const keyForm = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9_-]{43}=?)$/

export interface SecretsOptions {
  /** `SECRETS_KEY`: `id:base64url` pairs, comma-separated. The first one encrypts. Empty: the key file. */
  readonly keys: readonly string[]
  /** Folder for the key file. Null if processes share a store. */
  readonly folder: string | null
}

/**
 * Encrypts with AES-256-GCM and a ring of keys. A sealed text is `v1.<key id>.<iv>.<ciphertext and tag>`. It
 * is bound to its field, so a copy in another row cannot be decrypted.
 */
export function createSecrets({ keys, folder }: SecretsOptions): Secrets {
  const ring = readRing(keys)
  const primary = (): Key => {
    const [first] = ring
    if (first) return first
    if (folder === null) throw new Error(noKey)
    const made = ownKey(join(folder, 'secrets.key'))
    ring.push(made)
    return made
  }
  // The installation's own key file still decrypts texts from before the settings named keys.
  const ownFile = folder === null ? null : join(folder, 'secrets.key')
  if (ownFile && existsSync(ownFile)) ring.push(ownKey(ownFile))
  return {
    seal(text, place) {
      const { id, key } = primary()
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(boundTo(place))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `v1.${id}.${iv.toString('base64url')}.${sealed.toString('base64url')}`
    },
    open(sealed, place) {
      const [version, id, iv = '', body = ''] = sealed.split('.')
      const known = ring.find((one) => one.id === id)
      if (version !== 'v1' || !known) {
        throw new Error(`A stored secret was sealed with the key "${id}", which is not in SECRETS_KEY`)
      }
      const bytes = Buffer.from(body, 'base64url')
      const nonce = Buffer.from(iv, 'base64url')
      if (nonce.length !== ivBytes || bytes.length < tagBytes) throw new Error('A stored secret is damaged')
      const decipher = createDecipheriv('aes-256-gcm', known.key, nonce, { authTagLength: tagBytes })
      decipher.setAAD(boundTo(place)).setAuthTag(bytes.subarray(-tagBytes))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString(
          'utf8',
        )
      } catch {
        throw new Error('A stored secret is damaged, or belongs to another record or field')
      }
    },
    isOld: (sealed) => sealed.split('.')[1] !== ring[0]?.id,
  }
}

const noKey =
  'Credentials of outside services cannot be stored: set SECRETS_KEY, such as k1:$(openssl rand -base64 32 | tr +/ -_ | tr -d =)'

interface Key {
  readonly id: string
  readonly key: Buffer
}

function readRing(keys: readonly string[]): Key[] {
  const ring = keys.map((text) => {
    const [, id = '', key = ''] = keyForm.exec(text) ?? []
    const bytes = Buffer.from(key, 'base64url')
    if (bytes.length === keyBytes) return { id, key: bytes }
    // Only a person can correct it, so a start with it ends instead of being tried again.
    throw new StartError(
      'SECRETS_KEY: expected <id>:<32 bytes as base64url>, separated by commas. The first key seals new secrets',
    )
  })
  if (new Set(ring.map(({ id }) => id)).size < ring.length)
    throw new StartError('SECRETS_KEY: two keys have the same id')
  return ring
}

/** The installation's own key file, created at first use with mode 0600. */
function ownKey(path: string): Key {
  if (!existsSync(path)) {
    writeFileSync(path, `own:${randomBytes(keyBytes).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  }
  chmodSync(path, 0o600)
  const [key] = readRing([readFileSync(path, 'utf8').trim()])
  if (!key) throw new Error(`${path} does not contain a key`)
  return key
}

const boundTo = ({ entity, workspace_id, id, field }: SealedPlace) =>
  Buffer.from(JSON.stringify([entity, workspace_id, id, field]))
