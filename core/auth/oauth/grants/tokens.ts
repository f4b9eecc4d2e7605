import { ownerRows } from '../../../contexts/owner'
import type { Row } from '../../../contracts/entity'
import { where } from '../../../contracts/where'
import type { Clock } from '../../../process/clock'
import { isWellFormedToken, mintToken, sha256Hex } from '../../../process/crypto'
import type { Documents } from '../../../stores/documents/port'
import { cachedDocuments } from '../../../stores/documents/read-cache'
import type { Scope } from '../scopes'
import { type Grant, idleMs } from './grants'
import { OAuthToken } from './OAuthToken'

export const accessTokenPrefix = 'rnw_at_'
export const refreshTokenPrefix = 'rnw_rt_'

export type Token = Row<typeof OAuthToken>

/** RFC 6749 §5.1. */
export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

/**
 * The result of using a refresh token: `sibling` within the grace period, `spent` after its last allowed
 * pair, `reused` after the grace period.
 */
export type Rotation = 'first' | 'sibling' | 'spent' | 'reused'

export interface Tokens {
  /** Issues a new pair. The refresh token has all scopes of the grant, even if the access token has fewer. */
  issue(grant: Grant, scopes: readonly Scope[]): Promise<TokenAnswer>
  /** Returns the unexpired token with this text. A wrong checksum needs no lookup in the store. */
  find(text: string): Promise<Token | null>
  /** Returns the access token of a request, cached until something writes to tokens. */
  access(text: string): Promise<Token | null>
  /**
   * Marks a refresh token as exchanged. If several requests do so at the same time, only one is the first.
   */
  rotate(token: Token): Promise<Rotation>
  remove(token: Token): Promise<void>
}

/**
 * Processes of one client share a refresh token and may use it at the same time. A use after this period
 * means that the token was stolen.
 */
export const graceMs = 30 * 60_000
export const siblingsMax = 5

export function createTokens(deps: {
  readonly documents: Documents
  readonly clock: Clock
  readonly accessMinutes: number
}): Tokens {
  const { documents, clock } = deps
  const collection = documents.collection(OAuthToken)
  const rows = ownerRows(collection, OAuthToken, clock)
  const kept = cachedDocuments(collection)
  const isLive = (token: Token) => token.expires_at > clock.now().toISOString()
  const mint = async (kind: Token['kind'], grant: Grant, scopes: readonly Scope[], ms: number) => {
    const { token, hash } = await mintToken(kind === 'access' ? accessTokenPrefix : refreshTokenPrefix)
    const now = clock.now().getTime()
    const ends = Math.min(now + ms, Date.parse(grant.expires_at))
    const { agency_id, user_id } = grant
    await rows.insert({
      id: idOf(hash),
      workspace_id: agency_id,
      kind,
      grant_id: grant.id,
      agency_id,
      user_id,
      scopes: [...scopes],
      ...(kind === 'refresh' ? { is_rotated: false, siblings: 0 } : {}),
      expires_at: new Date(ends).toISOString(),
    })
    return { token, seconds: Math.floor((ends - now) / 1_000) }
  }
  const look = async (text: string, prefixes: readonly string[], get: (id: string) => Promise<unknown>) => {
    if (!prefixes.some((prefix) => isWellFormedToken(prefix, text))) return null
    const token = (await get(idOf(await sha256Hex(text)))) as Token | null
    return token && isLive(token) ? token : null
  }
  return {
    async issue(grant, scopes) {
      const access = await mint('access', grant, scopes, deps.accessMinutes * 60_000)
      const refresh = await mint('refresh', grant, grant.scopes, idleMs)
      return {
        access_token: access.token,
        token_type: 'Bearer',
        expires_in: access.seconds,
        refresh_token: refresh.token,
        scope: scopes.join(' '),
      }
    },
    find: (text) => look(text, [accessTokenPrefix, refreshTokenPrefix], rows.get),
    access: (text) => look(text, [accessTokenPrefix], kept),
    async rotate(token) {
      const unrotated = where.and(where.eq('id', token.id), where.eq('is_rotated', false))
      const now = clock.now()
      if (await rows.updateWhere(unrotated, { is_rotated: true, rotated_at: now.toISOString() }))
        return 'first'
      const since = new Date(now.getTime() - graceMs).toISOString()
      const graced = where.and(where.eq('id', token.id), where.gte('rotated_at', since))
      const unspent = where.and(graced, where.lt('siblings', siblingsMax))
      if (await collection.updateOne(unspent, { inc: { siblings: 1 } })) return 'sibling'
      return (await rows.count(graced)) > 0 ? 'spent' : 'reused'
    },
    remove: async ({ id }) => {
      await rows.removeWhere(where.eq('id', id))
    },
  }
}

const idOf = (hash: string) => `otk_${hash}`
