import type { Providers, RateLimit } from '../../contracts/connection'
import type { ServiceRequest } from '../../contracts/outbound'
import type { ServiceFault } from '../../contracts/service-fault'
import type { Settings } from '../../contracts/settings'
import { trimTrailing } from '../../contracts/trim-trailing'
import { type Bucket, bucketOf } from './bucket'

export type PacedRequest = Pick<ServiceRequest, 'url' | 'method' | 'json' | 'form' | 'isUrgent'>

/** The buckets of a request. The last one is that of the client. */
export interface Limits {
  readonly buckets: readonly {
    readonly bucket: Bucket
    /** Number of calls that this request may not use, because they are reserved for replies. */
    readonly spare: number
  }[]
  /** Whether a refusal concerns the whole client, not only one account. */
  isWide(fault: ServiceFault): boolean
}

/** Returns every rate limit of the providers, from the settings. */
export const rateLimits = (providers: Providers, settings: Settings): readonly RateLimit[] =>
  [...providers.values()].flatMap((declared) => declared.limits?.({ settings }) ?? [])

/**
 * Returns the rate limits of a request, from its address alone, so no caller can forget them. Null when no plugin
 * declares one. Writes and urgent requests may use the calls reserved for replies.
 */
export function limitsOf(all: readonly RateLimit[], request: PacedRequest): Limits | null {
  const limit = all.find(({ address }) => isBelow(address, request.url))
  if (!limit) return null
  const { client, callsPerMinute, keptForReplies: kept, edits, isWide } = limit
  const isWriting = isWrite(request)
  const account = isWriting ? edits?.accountOf(request.url) : undefined
  const own =
    edits === undefined || account === undefined
      ? []
      : [{ bucket: bucketOf(`${client}:${account}`, edits.perMinute), spare: 0 }]
  const spare = isWriting || request.isUrgent === true ? 0 : kept
  return { buckets: [...own, { bucket: bucketOf(client, callsPerMinute, kept), spare }], isWide }
}

const isWrite = ({ method, json, form }: PacedRequest) =>
  (method ?? (json === undefined && form === undefined ? 'GET' : 'POST')) !== 'GET'

const isBelow = (base: string, url: string) => base !== '' && url.startsWith(`${trimTrailing(base, '/')}/`)
