import { timingSafeEqual } from 'node:crypto'
import type { BatchAnswer } from 'renown/contracts'
import { isDelivery } from '../parse/formats'
import { isOtlp } from '../parse/formats/envelopes'
import type { RawBody } from './body'
import { queryOf } from './credentials'
import { binarySizes, statedBytes } from './decoding/binary-body'
import { type Dialect, unstored, usualBatchId } from './dialect'
import { headerOf } from './header'
import { otlpBinary, otlpJson } from './otlp'
import { problem } from './problem'
import { splunk, splunkAcks } from './splunk'

const logs = '/v1/logs'

/** Returns the dialect for a path and headers, or null if there is none. */
export function dialectOf(path: string, headers: Headers): Dialect | null {
  if (path.startsWith(logs) && headers.has('x-amz-firehose-request-id')) return firehose
  const dialect = dialects[path] ?? null
  const binary = dialect && binaryOf.get(dialect)
  return binary && /protobuf/i.test(headerOf(headers, 'content-type')) ? binary : dialect
}

/** Whether batches may be sent to a path. */
export const isBatchPath = (path: string): boolean => path.startsWith('/v1/') || path in dialects

const batchIdMax = 256
/** Whether a batch id is too long. */
export const idTooLong = (id: string): boolean => id.length > batchIdMax

const asJson = { headers: { ...unstored, 'content-type': 'application/json' } }

/** RFC 7240: for senders that do not read the answer, or none that reports success. */
const nothingToSay = { status: 204 }

const plain: Dialect = {
  batchId: usualBatchId,
  accepted: (answer, { headers }) =>
    answer.rejected === 0 && headers.get('prefer') === 'return=minimal'
      ? new Response(null, nothingToSay)
      : new Response(textOf(answer), asJson),
}

/** Most answers have no reasons. Building these by hand is faster. */
const textOf = (answer: BatchAnswer) =>
  answer.reasons.length > 0 || answer.by_reason
    ? JSON.stringify(answer)
    : `{"accepted":${answer.accepted},"ignored":${answer.ignored},"rejected":${answer.rejected},"duplicate":${answer.duplicate},"reasons":[]}`

const mebibytes = 2 ** 20
const noDelivery = problem(
  'malformed_request',
  'The body must be one JSON object with `requestId`, a text, and `records`, an array.',
)
/**
 * Amazon Data Firehose. Any answer except 200 with its own JSON is a failure, and 413 is never retried, so every size
 * it can send must fit.
 */
const firehose: Dialect = {
  sizes: { wireBytesMax: 66 * mebibytes, inflatedBytesMax: 66 * mebibytes },
  anyLines: true,
  batchId: (headers) => headerOf(headers, 'x-amz-firehose-request-id'),
  givesUniqueIds: true,
  /** Refuses an incomplete delivery, so that Firehose sends it again. */
  refuse: async (text, turn) => ((await isDelivery(text, turn)) ? null : noDelivery),
  accepted: (_, request, now) => firehoseAnswer(request, now, {}, {}),
  refused: ({ detail }, { status, headers }, request, now) =>
    firehoseAnswer(
      request,
      now,
      { errorMessage: detail },
      { status, headers: Object.fromEntries([...headers].filter(([name]) => name === 'retry-after')) },
    ),
}

function firehoseAnswer(request: Request, now: () => Date, more: object, { headers, ...init }: ResponseInit) {
  const requestId = headerOf(request.headers, 'x-amz-firehose-request-id')
  return new Response(JSON.stringify({ requestId, timestamp: now().getTime(), ...more }), {
    ...init,
    headers: { ...unstored, ...(headers as Record<string, string>), 'content-type': 'application/json' },
  })
}

/** Cloudflare Logpush. It limits its batches by bytes, at most 64 MiB, with any number of lines. */
const cloudflare: Dialect = { ...plain, anyLines: true, maySurprise: true }

/** Vercel's drains. The signature of a body, if there is one, is made with the site's forwarder token. */
const vercel: Dialect = {
  ...plain,
  isRaw: true,
  async refuseBytes(request, raw, token, turn) {
    const signature = request.headers.get('x-vercel-signature')
    return signature === null || (await isSigned(signature, raw, token, turn)) ? null : wrongSignature
  },
  accepted: (answer, request) =>
    Response.json(answer, { headers: { ...unstored, ...vercelHandshake(request) } }),
}

const wrongSignature = problem(
  'unauthenticated',
  "The signature does not fit: the drain's signature secret has to be the site's forwarder token.",
)

/**
 * Whether the signature matches the body, as sent or before compression, because the documentation does not say
 * which.
 */
async function isSigned(
  signature: string,
  { wire, inflated }: RawBody,
  token: string,
  turn: () => Promise<void>,
): Promise<boolean> {
  const given = Buffer.from(signature, 'hex')
  for (const signed of wire === inflated ? [wire] : [wire, inflated]) {
    const hasher = new Bun.CryptoHasher('sha1', token)
    for (let at = 0; at < signed.length; at += signedAtOnce) {
      if (at > 0) await turn()
      hasher.update(signed.subarray(at, at + signedAtOnce))
    }
    const wanted = hasher.digest()
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) return true
  }
  return false
}

const signedAtOnce = 2 * mebibytes

/**
 * Returns the code by which Vercel sees who owns an endpoint, from its own request or from `verify` in the
 * URL.
 */
function vercelHandshake({ headers, url }: Request): Record<string, string> {
  const code = headers.get('x-vercel-verify') ?? queryOf(url).get('verify') ?? ''
  return /^[\w.-]{1,256}$/.test(code) ? { 'x-vercel-verify': code } : {}
}

const asItHappens: Dialect = { ...plain, datesArrivals: true }

/** The address of logs is also that of OpenTelemetry's exporters. Their bodies show it. */
const anyLog: Dialect = { ...plain, of: (text) => (isOtlp(text) ? otlpJson : null) }

/** Loki's push address, with JSON. */
const loki: Dialect = {
  batchId: usualBatchId,
  accepted: () => new Response(null, { status: 204, headers: unstored }),
}

/** Loki's push address, with Protocol Buffers in a block of Snappy. */
const lokiBinary: Dialect = {
  ...loki,
  isBinary: true,
  form: 'loki',
  sizes: binarySizes,
  bytesOf: statedBytes,
}

const collector = '/services/collector'
const dialects: Readonly<Record<string, Dialect>> = {
  '/v1/hits': asItHappens,
  [logs]: anyLog,
  ...Object.fromEntries(
    ['', '/1.0', '/event', '/event/1.0', '/raw', '/raw/1.0'].map((end) => [`${collector}${end}`, splunk]),
  ),
  [`${collector}/ack`]: splunkAcks,
  '/loki/api/v1/push': loki,
  [`${logs}/firehose`]: firehose,
  [`${logs}/cloudflare`]: cloudflare,
  [`${logs}/vercel`]: vercel,
  // The path that the clients of Known Agents post to.
  '/visits': asItHappens,
}

/** Every path that batches are sent to, for tests of all of them. */
export const batchPaths: readonly string[] = Object.keys(dialects)

/** The dialects of bodies in Protocol Buffers at the same address. */
const binaryOf = new Map([
  [anyLog, otlpBinary],
  [loki, lokiBinary],
])

/**
 * Answers the check that a service sends before it sends data, or returns null. Needs no token and reveals
 * nothing.
 */
export function handshake(request: Request, path: string): Response | null {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null
  if (path === `${logs}/vercel`) {
    return new Response(null, { headers: { ...unstored, ...vercelHandshake(request) } })
  }
  // Any Fastly service may pass this check, because its data still needs a token.
  if (path === '/.well-known/fastly/logging/challenge') return new Response('*\n', { headers: unstored })
  return null
}
