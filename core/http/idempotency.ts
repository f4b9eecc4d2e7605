import { ownerRows } from '../contexts/owner'
import type { Row } from '../contracts/entity'
import { nullIfConflict, Refusal } from '../contracts/errors'
import { dayMs } from '../contracts/time'
import { where } from '../contracts/where'
import type { Clock } from '../process/clock'
import { sha256Hex } from '../process/crypto'
import { IdempotentAnswer } from '../requests/IdempotentAnswer'
import type { Documents } from '../stores/documents/port'

const keptMs = dayMs
/** After this long without an answer, the first request counts as failed and another may run. */
const busyMs = 2 * 60_000

export interface IdempotentCall {
  readonly key: string
  /** The caller, the operation and the workspace. Keys of different scopes are independent. */
  readonly scope: string
  readonly agencyId: string
  readonly body: string
  readonly requestId: string
}

/** Runs a call once per key. The same key and body get the first answer again. Another body is refused. */
export async function once<T>(
  deps: { readonly documents: Documents; readonly clock: Clock },
  call: IdempotentCall,
  run: () => Promise<T>,
): Promise<{ output: T; replayed: boolean }> {
  const rows = ownerRows(deps.documents.collection(IdempotentAnswer), IdempotentAnswer, deps.clock)
  const id = `idm_${await sha256Hex(`${call.scope}\n${call.key}`)}`
  const body_hash = await sha256Hex(call.body)
  const now = deps.clock.now()
  const claim = {
    body_hash,
    holder: call.requestId,
    busy_until: new Date(now.getTime() + busyMs).toISOString(),
    expires_at: new Date(now.getTime() + keptMs).toISOString(),
  }
  const earlier = await claimed(rows, id, call.agencyId, claim, now)
  if (earlier) return { output: JSON.parse(earlier) as T, replayed: true }
  const mine = where.and(where.eq('id', id), where.eq('holder', call.requestId))
  const output = await run().catch(async (error) => {
    await deps.documents
      .collection(IdempotentAnswer)
      .remove(mine)
      .catch(() => undefined)
    throw error
  })
  // Returns the result even if it cannot be stored. The claim then stays until it expires.
  await rows.updateWhere(mine, { answer: JSON.stringify(output), busy_until: undefined }).catch(() => null)
  return { output, replayed: false }
}

type Claim = Pick<Row<typeof IdempotentAnswer>, 'body_hash' | 'holder' | 'expires_at'> & {
  busy_until: string
}

/** Claims the key, or returns the earlier answer. */
async function claimed(
  rows: ReturnType<typeof ownerRows<typeof IdempotentAnswer>>,
  id: string,
  agencyId: string,
  claim: Claim,
  now: Date,
): Promise<string | undefined> {
  if (await rows.insert({ id, workspace_id: agencyId, ...claim }).catch(nullIfConflict)) return
  const earlier = await rows.get(id)
  const stamp = now.toISOString()
  const stale =
    earlier && (earlier.expires_at <= stamp || (!earlier.answer && (earlier.busy_until ?? '') <= stamp))
  if (stale) {
    const same = where.and(where.eq('id', id), where.eq('holder', earlier.holder))
    if (await rows.updateWhere(same, { ...claim, answer: undefined })) return
  } else if (earlier && earlier.body_hash !== claim.body_hash) {
    throw new Refusal('idempotency_conflict', 'This Idempotency-Key was used with another body.', {
      errors: [{ header: 'Idempotency-Key', code: 'idempotency_conflict', message: 'use a new key' }],
    })
  } else if (earlier?.answer) return earlier.answer
  throw new Refusal('conflict', 'A request with this Idempotency-Key is still running.', {
    retryAfterSeconds: 1,
  })
}
