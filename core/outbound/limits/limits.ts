import type { ServiceRequest } from '../../contracts/outbound'
import type { ServiceFault } from '../../contracts/service-fault'
import type { Settings } from '../../contracts/settings'
import { trimTrailing } from '../../contracts/trim-trailing'
import { type Bucket, bucketOf } from './bucket'

export type PacedRequest = Pick<ServiceRequest, 'url' | 'method' | 'json' | 'form' | 'isUrgent'>

/** What limits a request. The last bucket is the one of the client. */
export interface Limits {
  readonly buckets: readonly {
    readonly bucket: Bucket
    /** Calls of its burst that this request must leave to others. */
    readonly spare: number
  }[]
  /** Whether a refusal concerns the whole client, and not one account of it. */
  isWide(fault: ServiceFault): boolean
}

/**
 * The rate limits of a request, by its address alone: no caller can forget them. Null where the product keeps none. Writes and
 * urgent requests may use the calls that are kept for replies.
 */
export function limitsOf(settings: Settings, request: PacedRequest): Limits | null {
  const { url } = request
  if (isBelow(settings.GOOGLE_REVIEWS_URL, url)) return googleLimits(settings, request)
  if (isBelow(settings.FACEBOOK_GRAPH_URL, url)) return facebookLimits(settings, request)
  return null
}

function googleLimits(settings: Settings, request: PacedRequest): Limits {
  const id = `google:${settings.GOOGLE_CLIENT_ID}`
  const { GOOGLE_CALLS_PER_MINUTE: perMinute, GOOGLE_EDITS_PER_MINUTE: edits } = settings
  const client = clientLimit(settings, id, perMinute, request)
  const profile = isWrite(request)
    ? /\/(accounts\/[^/]+\/locations\/[^/?]+)/.exec(request.url)?.[1]
    : undefined
  const own = profile === undefined ? [] : [{ bucket: bucketOf(`${id}:${profile}`, edits), spare: 0 }]
  return { buckets: [...own, client], isWide: ({ kind }) => kind === 'rate' }
}

/** Facebook's error 4 is about the app. Its other limits are about one Page or person. */
function facebookLimits(settings: Settings, request: PacedRequest): Limits {
  const id = `facebook:${settings.FACEBOOK_APP_ID}`
  const client = clientLimit(settings, id, settings.FACEBOOK_CALLS_PER_MINUTE, request)
  const ofApp = new Set(['4', '429'])
  return { buckets: [client], isWide: ({ kind, code = '' }) => kind === 'rate' && ofApp.has(code) }
}

function clientLimit(settings: Settings, id: string, perMinute: number, request: PacedRequest) {
  const kept = settings.CALLS_KEPT_FOR_REPLIES
  const bucket = bucketOf(id, perMinute, kept)
  return { bucket, spare: isWrite(request) || request.isUrgent === true ? 0 : kept }
}

const isWrite = ({ method, json, form }: PacedRequest) =>
  (method ?? (json === undefined && form === undefined ? 'GET' : 'POST')) !== 'GET'

const isBelow = (base: string, url: string) => base !== '' && url.startsWith(`${trimTrailing(base, '/')}/`)
