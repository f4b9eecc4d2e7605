import { parseJson } from 'renown/contracts'
import type { Journal } from '../journal/journal'
import { tokenOf } from './credentials'
import { type Dialect, unstored, usualBatchId } from './dialect'

/** Answers as Splunk's HTTP Event Collector, whose clients read `code`. */
const say = (text: string, code: number, init: ResponseInit = {}, more: object = {}): Response =>
  Response.json({ text, code, ...more }, { ...init, headers: { ...unstored, ...init.headers } })

let lastAck = 0

/**
 * Splunk's HTTP Event Collector. Events are on disk before the answer, so each acknowledgement that a client
 * asks for is true.
 */
export const splunk: Dialect = {
  batchId: usualBatchId,
  accepted: (_, request) => say('Success', 0, {}, hasChannel(request) ? { ackId: lastAck++ } : {}),
  refused({ code, detail }, plain, request) {
    if (code === 'unauthenticated')
      return tokenOf(request) === null
        ? say('Token is required', 2, { status: 401 })
        : say('Invalid token', 4, { status: 403 })
    const wait = plain.headers.get('retry-after')
    const init = { status: plain.status, ...(wait === null ? {} : { headers: { 'retry-after': wait } }) }
    return plain.status === 503 || plain.status === 429
      ? say('Server is busy', 9, init)
      : say(detail, 6, init)
  },
}

/** A client that wants acknowledgements names its channel. */
const hasChannel = ({ headers, url }: Request) =>
  headers.has('x-splunk-request-channel') || new URL(url).searchParams.has('channel')

/** Clients ask for at most some thousand batches at once. */
const ackBytesMax = 64 * 1024

/** Answers which batches of a channel are stored: all that were answered. */
export const splunkAcks: Dialect = {
  ...splunk,
  sizes: { wireBytesMax: ackBytesMax, inflatedBytesMax: ackBytesMax },
  reply(text) {
    const acks = ids(text)
    return acks === null
      ? say('Invalid data format', 6, { status: 400 })
      : Response.json({ acks: Object.fromEntries(acks.map((id) => [id, true])) }, { headers: unstored })
  },
}

function ids(text: string): readonly number[] | null {
  try {
    const { acks } = parseJson(text) as { acks?: unknown }
    return Array.isArray(acks) && acks.every((id) => Number.isSafeInteger(id)) ? acks : null
  } catch {
    return null
  }
}

/** Whether a request only checks the collector. Docker sends OPTIONS before it starts a container. */
export const isSplunkCheck = (method: string, path: string): boolean =>
  path.startsWith('/services/collector') &&
  (method === 'OPTIONS' || (method !== 'POST' && path.startsWith('/services/collector/health')))

/** Answers the check of clients before they send. Needs no token and reveals nothing about sites. */
export const splunkHealth = (journal: Pick<Journal, 'refusal'>): Response =>
  journal.refusal() === null
    ? say('HEC is healthy', 17)
    : say('HEC is unhealthy, queues are full', 18, { status: 503 })
