import * as v from 'valibot'
import type { ServiceAnswer } from './outbound'
import { ServiceFault, statusFault } from './service-fault'

const envelope = v.object({
  error: v.object({
    message: v.optional(v.string(), ''),
    status: v.optional(v.string(), ''),
    details: v.optional(v.array(v.object({ reason: v.optional(v.string(), '') })), []),
  }),
})

/**
 * What an answer of one of Google's APIs means; null where it is the one that was asked for. Where it was asked with a key,
 * `keyName` is the setting that holds it, so that whoever reads of a key that is refused knows which.
 */
export function googleFault(
  answer: Pick<ServiceAnswer, 'status' | 'json' | 'retryAfterMs'>,
  keyName?: string,
): ServiceFault | null {
  const said = v.safeParse(envelope, answer.json)
  const { message = '', status = '', details = [] } = said.success ? said.output.error : {}
  const why = message || status || `status ${answer.status}`
  const fault = statusFault(answer, `Google refused: ${why}`)
  if (fault === null) return null
  if (answer.status === 429 || status === 'RESOURCE_EXHAUSTED') {
    return new ServiceFault('rate', fault.message, { code: status, retryAfterMs: fault.retryAfterMs })
  }
  const isKey = answer.status === 403 || details.some(({ reason }) => reason.startsWith('API_KEY'))
  if (keyName === undefined || !isKey) return fault
  return new ServiceFault('permission', `Google refused ${keyName}: ${why}`.slice(0, 300), { code: status })
}
