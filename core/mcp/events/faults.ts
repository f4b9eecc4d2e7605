import * as v from 'valibot'
import { isRefusal } from '../../contracts/errors'
import { EventDeliveryFault } from '../../contracts/event-delivery'
import { withoutSecrets } from '../../contracts/secret-text'
import { faultsOf } from '../../kit/faults'
import { nearest } from '../../kit/suggest'
import { type ProblemInfo, problemOf, retryAfterOf } from '../../requests/problem'
import { ProtocolFault } from '../fault'
import { problemForModels } from '../tool-words'

/** Codes of the extension for events, as clients know them today. */
export const eventCodes = {
  notFound: -32011,
  forbidden: -32012,
  exhausted: -32013,
  unsupported: -32014,
  callback: -32015,
} as const

/** Reads the parameters of a method. Throws a fault that names each wrong one. */
export function readParams<S extends v.GenericSchema>(
  method: string,
  schema: S,
  params: unknown,
): v.InferOutput<S> {
  const parsed = v.safeParse(schema, params)
  if (parsed.success) return parsed.output
  const errors = faultsOf(parsed.issues)
  const told = errors.slice(0, 5).map(({ pointer, message }) => `${pointer} ${message}`)
  throw new ProtocolFault(withoutSecrets(`Invalid params of ${method}: ${told.join('; ')}`), { errors })
}

export function unknownType(name: string, known: readonly string[]): ProtocolFault {
  const meant = nearest(name, known)
  const shown = withoutSecrets(name.slice(0, 80))
  return new ProtocolFault(
    `Unknown event ${shown}${meant ? `; did you mean ${meant}?` : '. events/list names all'}`,
    { kind: 'event', ...(meant ? { did_you_mean: meant } : {}) },
    eventCodes.notFound,
  )
}

/** Codes of refusals of the product. Every other one is an internal error. */
const codeOf: Readonly<Record<string, number>> = {
  invalid_parameter: -32602,
  invalid_field: -32602,
  not_found: -32602,
  quota_exceeded: eventCodes.exhausted,
  unauthenticated: eventCodes.forbidden,
  workspace_inactive: eventCodes.forbidden,
}

/** Returns an error of the product as one of the protocol. Its data is the problem, as tools show it. */
export function faultFor(error: unknown, info: ProblemInfo): ProtocolFault {
  if (error instanceof ProtocolFault) return error
  if (error instanceof EventDeliveryFault) return deliveryFault(error)
  const problem = problemForModels(problemOf(error, info))
  const seconds = retryAfterOf(error)
  const isForbidden = isRefusal(error) && problem.status === 403
  const code = isForbidden ? eventCodes.forbidden : (codeOf[problem.code] ?? -32603)
  const data = { ...problem, ...(seconds === undefined ? {} : { retry_after_seconds: seconds }) }
  return new ProtocolFault(withoutSecrets(`${problem.title}. ${problem.detail}`), data, code)
}

function deliveryFault({ message, fault }: EventDeliveryFault): ProtocolFault {
  if (fault.kind === 'exhausted')
    return new ProtocolFault(message, { limit: 'subscriptions', max: fault.max }, eventCodes.exhausted)
  return fault.kind === 'stopped'
    ? new ProtocolFault(message, { reason: 'stopped_by_person' }, eventCodes.forbidden)
    : new ProtocolFault(message, { reason: fault.reason }, eventCodes.callback)
}
