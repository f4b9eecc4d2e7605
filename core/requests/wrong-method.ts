import { Refusal } from '../contracts/errors'
import type { RequestState } from './request'

/** Returns the error 405 and adds the Allow header to the response, which RFC 9110 requires with it. */
export function wrongMethod({ headers }: Pick<RequestState, 'headers'>, methods: readonly string[]): Refusal {
  const allow = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  headers.allow = allow.join(', ')
  return new Refusal('method_not_allowed', `Method not allowed: this address accepts ${allow.join(', ')}.`)
}
