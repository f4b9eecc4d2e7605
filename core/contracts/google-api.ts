import * as v from 'valibot'
import type { ServiceAnswer } from './outbound'
import { ServiceFault, statusFault } from './service-fault'

const envelope = v.object({
  error: v.object({ message: v.optional(v.string(), ''), status: v.optional(v.string(), '') }),
})

/** What an answer of one of Google's APIs means; null where it is the one that was asked for. */
export function googleFault(
  answer: Pick<ServiceAnswer, 'status' | 'json' | 'retryAfterMs'>,
): ServiceFault | null {
  const said = v.safeParse(envelope, answer.json)
  const { message = '', status = '' } = said.success ? said.output.error : {}
  const fault = statusFault(answer, `Google refused: ${message || status || `status ${answer.status}`}`)
  if (fault === null) return null
  if (answer.status === 429 || status === 'RESOURCE_EXHAUSTED') {
    return new ServiceFault('rate', fault.message, { code: status, retryAfterMs: fault.retryAfterMs })
  }
  return fault
}
