import { ownerRows } from '../contexts/owner'
import type { Row } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import type { OwnerRows } from '../contracts/plugin'
import { where } from '../contracts/where'
import type { Clock } from '../process/clock'
import { isWellFormedToken, mintToken, sha256HexSync } from '../process/crypto'
import type { Documents } from '../stores/documents/port'
import { BoundedMap, cachedDocuments } from '../stores/documents/read-cache'
import { AgentKey } from './AgentKey'

export const agentKeyPrefix = 'rnw_key_'
const keyCharacters = agentKeyPrefix.length + 46
const usedEveryMs = 5 * 60_000
const rememberedMax = 10_000

/** A new key. Its text is shown only once. */
export interface MintedKey {
  readonly token: string
  readonly last4: string
}

export interface AgentKeys {
  /** Creates the agency's first key. Throws a `conflict` Refusal if one is active. */
  mint(agencyId: string): Promise<MintedKey>
  /** Replaces the agency's key, or creates its first one. The old key stops working. */
  rotate(agencyId: string): Promise<MintedKey & { readonly replaced: boolean }>
  /** Ends the key. False if none was active. */
  revoke(agencyId: string): Promise<boolean>
  /** Returns the hash that a key is stored under. Null for text that cannot be a key. */
  hashOf(token: string): string | null
  /** Returns the active key with this hash. */
  find(hash: string): Promise<Row<typeof AgentKey> | null>
  /** Returns the agency that the key had when it was last found. Use it only to prefetch rows. It proves nothing. */
  lastHolder(hash: string): string | undefined
  /** Records that a key was used just now. */
  used(key: Row<typeof AgentKey>): void
}

/** Agent keys: one document per agency, stored as a hash and replaced by compare-and-set. */
export function agentKeys({ documents, clock }: { documents: Documents; clock: Clock }): AgentKeys {
  const collection = documents.collection(AgentKey)
  const rows = ownerRows(collection, AgentKey, clock)
  const keyRow = cachedDocuments(collection)
  const touch = createTouch(rows)
  const whose = new BoundedMap<string, string>(rememberedMax)
  /** Looks the document up every time. Caches only the agency, which never changes. */
  const look = async (hash: string) => {
    const agencyId = whose.get(hash)
    const known = agencyId === undefined ? null : await keyRow(agencyId)
    if (known) return known
    const [found] = await rows.list({
      where: where.and(where.eq('key_hash', hash), where.eq('is_active', true)),
      limit: 1,
    })
    if (!found) return null
    whose.set(hash, found.id)
    return found
  }
  return {
    mint: async (agencyId) => {
      const current = await rows.get(agencyId)
      if (current?.is_active)
        throw new Refusal('conflict', 'The agency has an active key. Rotate it instead.')
      return replaceKey(rows, agencyId, clock.now())
    },
    rotate: (agencyId) => replaceKey(rows, agencyId, clock.now()),
    revoke: async (agencyId) => (await revokeKey(rows, agencyId)) !== null,
    hashOf: (token) => {
      if (token.length !== keyCharacters) return null
      const hash = sha256HexSync(token)
      return whose.get(hash) !== undefined || isWellFormedToken(agentKeyPrefix, token) ? hash : null
    },
    find: async (hash) => {
      const key = await look(hash)
      return key?.is_active && key.key_hash === hash ? key : null
    },
    lastHolder: (hash) => whose.get(hash),
    used: (key) => touch(key, clock.now()),
  }
}

/** Replaces the agency's key, or creates its first one. If two calls run at the same time, one is refused. */
export async function replaceKey(rows: OwnerRows<typeof AgentKey>, agencyId: string, now: Date) {
  const current = await rows.get(agencyId)
  const { token, hash, last4 } = await mintToken(agentKeyPrefix)
  const fresh = { key_hash: hash, last4, is_active: true, minted_at: now.toISOString() }
  if (!current) {
    await rows.insert({ id: agencyId, workspace_id: agencyId, ...fresh })
    return { token, last4, replaced: false }
  }
  const unchanged = where.and(where.eq('id', agencyId), where.eq('key_hash', current.key_hash))
  const changed = await rows.updateWhere(unchanged, { ...fresh, last_used_at: undefined })
  if (!changed) throw new Refusal('conflict', 'Somebody else rotated the key at the same time. Try again.')
  return { token, last4, replaced: current.is_active }
}

/** Ends the agency's key and returns it. Null if none was active. */
export const revokeKey = (rows: OwnerRows<typeof AgentKey>, agencyId: string) =>
  rows.updateWhere(where.and(where.eq('id', agencyId), where.eq('is_active', true)), { is_active: false })

/** Records when a key was used. Not for each request, because that would be a write per request. */
function createTouch(rows: OwnerRows<typeof AgentKey>) {
  const underWay = new Set<string>()
  return (key: Row<typeof AgentKey>, now: Date) => {
    if (key.last_used_at && now.getTime() - Date.parse(key.last_used_at) < usedEveryMs) return
    if (underWay.has(key.id)) return
    underWay.add(key.id)
    const same = where.and(where.eq('id', key.id), where.eq('key_hash', key.key_hash))
    rows
      .updateWhere(same, { last_used_at: now.toISOString() })
      .catch(() => null)
      .finally(() => underWay.delete(key.id))
  }
}
