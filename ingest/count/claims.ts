import type { ClaimBatches } from 'renown/contracts'
import * as v from 'valibot'

export interface ClaimsOptions {
  /** The gateway's origin. */
  readonly url: string
  readonly secret: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly timeoutMs?: number
}

const answerSchema = v.object({ taken: v.array(v.string()) })

/** Claims batches at the gateway, which decides for all ingest processes. */
export function claimsAtGateway({ url, secret, fetch, timeoutMs = 10_000 }: ClaimsOptions): ClaimBatches {
  return async (segment, ids) => {
    const response = await fetch(`${url}/internal/claims`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ segment, ids }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    if (!response.ok) throw Object.assign(new Error(), { code: `status ${response.status}` })
    return v.parse(answerSchema, JSON.parse(text)).taken
  }
}
