import { ownerRows } from '../../../contexts/owner'
import type { Row } from '../../../contracts/entity'
import { dayMs } from '../../../contracts/time'
import { where } from '../../../contracts/where'
import type { Clock } from '../../../process/clock'
import { isWellFormedToken, mintToken, sha256Hex } from '../../../process/crypto'
import type { Documents } from '../../../stores/documents/port'
import { OAuthCode } from './OAuthCode'

export const codePrefix = 'rnw_ac_'

export type Code = Row<typeof OAuthCode>

export interface Codes {
  mint(
    about: Pick<Code, 'host' | 'client_id' | 'grant_id' | 'redirect_uri' | 'code_challenge' | 'workspace_id'>,
  ): Promise<string>
  find(text: string): Promise<Code | null>
  /**
   * Uses the code. False if it was already used. If several requests use it at the same time, only one gets
   * true.
   */
  take(code: Code): Promise<boolean>
}

const validMs = 60_000
/** How long a second use is noticed. */
const keptMs = dayMs

export function createCodes({
  documents,
  clock,
}: {
  readonly documents: Documents
  readonly clock: Clock
}): Codes {
  const rows = ownerRows(documents.collection(OAuthCode), OAuthCode, clock)
  const after = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
  return {
    async mint(about) {
      const { token, hash } = await mintToken(codePrefix)
      const ends = { valid_until: after(validMs), expires_at: after(keptMs) }
      await rows.insert({ ...about, ...ends, id: idOf(hash), is_used: false })
      return token
    },
    find: async (text) =>
      isWellFormedToken(codePrefix, text) ? rows.get(idOf(await sha256Hex(text))) : null,
    async take({ id }) {
      const unused = where.and(where.eq('id', id), where.eq('is_used', false))
      return (await rows.updateWhere(unused, { is_used: true })) !== null
    },
  }
}

const idOf = (hash: string) => `oac_${hash}`
