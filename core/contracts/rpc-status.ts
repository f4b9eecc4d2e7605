import * as v from 'valibot'
import type { ServiceAnswer } from './outbound'
import { foreignFault, ServiceFault, statusFault, unreadable } from './service-fault'

/** The code of a fault in which the service says that the requested object does not exist. */
export const rpcNotFound = '404'

/** The error form `rpc.Status` of gRPC over HTTP, without the parts that not every error has. */
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
 * Returns the fault of an answer with errors in the form `rpc.Status`, or null when it has no error. `service` names
 * the service in messages. `keyName` is the setting with the API key, so that the message says what to correct. A 404
 * counts as "does not exist" only in this form, with the status NOT_FOUND.
 */
export function rpcStatusFault(
  answer: Pick<ServiceAnswer, 'status' | 'json' | 'retryAfterMs'>,
  service: string,
  keyName?: string,
): ServiceFault | null {
  const what = `${service}'s answer`
  const isSuccess = answer.status >= 200 && answer.status < 300
  const said = v.safeParse(envelope, answer.json)
  if (!said.success || said.output.error.code !== answer.status) {
    if (!isSuccess) return foreignFault(answer, what)
    return v.is(hasError, answer.json) ? unreadable(what, 'it holds an error') : null
  }
  const { message, status, details } = said.output.error
  const fault = statusFault(answer, `${service} refused: ${message || status}`)
  if (fault === null) return unreadable(what, `it holds the error ${status}`)
  if (answer.status === 404 && status !== 'NOT_FOUND') {
    return unreadable(what, `status 404 with the error ${status}`)
  }
  if (answer.status === 429 || status === 'RESOURCE_EXHAUSTED') {
    return new ServiceFault('rate', fault.message, { code: status, retryAfterMs: fault.retryAfterMs })
  }
  const isKey = answer.status === 403 || details.some(({ reason }) => reason.startsWith('API_KEY'))
  if (keyName === undefined || !isKey) return fault
  const words = `${service} refused ${keyName}: ${message || status}`
  return new ServiceFault('permission', words.slice(0, 300), { code: status })
}
