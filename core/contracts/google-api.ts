import * as v from 'valibot'
import type { ServiceAnswer } from './outbound'
import { foreignFault, ServiceFault, statusFault, unreadable } from './service-fault'

/** The code of a fault in which Google itself says that what was asked for does not exist. */
export const googleNotThere = '404'

/** Google's error form (google.rpc.Status), without the parts that not every error has. */
const envelope = v.object({
  error: v.object({
    code: v.pipe(v.number(), v.integer()),
    status: v.pipe(v.string(), v.minLength(1)),
    message: v.optional(v.string(), ''),
    details: v.optional(v.array(v.object({ reason: v.optional(v.string(), '') })), []),
  }),
})

const hasError = v.looseObject({ error: v.unknown() })

/**
 * Reads the error of an answer of one of Google's APIs. Null means that the answer holds none. `keyName` is the setting with the API
 * key of the request, so that the message names the setting to correct. A status of 404 counts as "does not exist" only in Google's
 * own error form, with the status NOT_FOUND.
 */
export function googleFault(
  answer: Pick<ServiceAnswer, 'status' | 'json' | 'retryAfterMs'>,
  keyName?: string,
): ServiceFault | null {
  const isSuccess = answer.status >= 200 && answer.status < 300
  const said = v.safeParse(envelope, answer.json)
  if (!said.success || said.output.error.code !== answer.status) {
    if (!isSuccess) return foreignFault(answer, "Google's answer")
    return v.is(hasError, answer.json) ? unreadable("Google's answer", 'it holds an error') : null
  }
  const { message, status, details } = said.output.error
  const fault = statusFault(answer, `Google refused: ${message || status}`)
  if (fault === null) return unreadable("Google's answer", `it holds the error ${status}`)
  if (answer.status === 404 && status !== 'NOT_FOUND') {
    return unreadable("Google's answer", `status 404 with the error ${status}`)
  }
  if (answer.status === 429 || status === 'RESOURCE_EXHAUSTED') {
    return new ServiceFault('rate', fault.message, { code: status, retryAfterMs: fault.retryAfterMs })
  }
  const isKey = answer.status === 403 || details.some(({ reason }) => reason.startsWith('API_KEY'))
  if (keyName === undefined || !isKey) return fault
  const words = `Google refused ${keyName}: ${message || status}`
  return new ServiceFault('permission', words.slice(0, 300), { code: status })
}
