import type { IngestSite, PeerOf, Settings } from 'renown/contracts'
import { hashInTurns } from '../count/content-id'
import type { Counter } from '../count/counter'
import type { Metrics } from '../count/metrics'
import { type Journal, JournalRefusal } from '../journal/journal'
import type { Signals } from '../sites/signals'
import { type Sites, sha256 } from '../sites/sites'
import { createBodyReader, type ReadBody } from './body'
import type { ClientAddress } from './client-address'
import { type Cost, startCost } from './cost'
import { tokenOf } from './credentials'
import { createDecoder, type Decoder } from './decoding/decoder'
import { createTurns } from './decoding/turns'
import type { Dialect } from './dialect'
import { dialectOf, idTooLong } from './dialects'
import { createFailures } from './failures'
import { createBuckets } from './limits'
import { noSuchAddress, type Problem, problem, type Refuse } from './problem'

export interface BatchHandlerDeps {
  readonly settings: Settings
  readonly sites: Sites
  readonly counter: Counter
  readonly journal: Journal
  readonly clientAddress: ClientAddress
  readonly signals: Signals
  readonly metrics: Metrics
  readonly now: () => Date
}

const unauthenticated = problem('unauthenticated', "Send the site's forwarder token as a bearer token.")
const tooManyFailures = problem('quota_exceeded', 'Too many requests without a valid token.', 60)
const tooManyLines = (max: number) =>
  problem('payload_too_large', `A batch may have ${max} lines. Send it in parts.`)
/** More lines than a batch can have within its byte limit, because a log line has at least 40 bytes. */
const anyLinesMax = 1_700_000
const tooCostly =
  'The bodies of this forwarder took too much processor time, most of it for bodies that were refused. Send them later, and correct what earlier answers refused.'
const tooManyLarge = problem('unavailable', 'Too many large bodies are being read. Try again.', 1)
const longId = problem('malformed_request', 'A batch id may have at most 256 characters.')

/**
 * The id of a batch that its sender named. Its content is part of it, because people set the header to a constant: then each batch is
 * another one. A batch that is sent again has the same content.
 */
const batchIdOf = ({ site_id }: IngestSite, id: string, content: string) =>
  sha256(`${site_id}\nid\n${id}\n${content}`).slice(0, 32)

async function contentOf(text: string, turn: () => Promise<void>): Promise<string> {
  return (await hashInTurns(new Bun.CryptoHasher('sha256'), text, turn)).digest('hex')
}

const sizesOf = (settings: Settings) => ({
  wireBytesMax: settings.INGEST_BODY_BYTES_MAX,
  inflatedBytesMax: settings.INGEST_INFLATED_BYTES_MAX,
})

/** Returns a function that refuses a request in the sender's own format. */
const sayer =
  (refuse: Refuse, now: () => Date) =>
  (request: Request, dialect: Dialect | null, refused: Problem): Response => {
    const plain = refuse(request, refused)
    return dialect?.refused?.(refused, plain, request, now) ?? plain
  }

interface Reading {
  readonly request: Request
  readonly token: string
  readonly turn: () => Promise<void>
  readonly cost: Cost
  readonly decoder: Decoder
  readonly linesMax: number
}

/** Returns the text of a body, or why it is refused. */
async function textOf(
  dialect: Dialect,
  { raw, text, grow }: ReadBody,
  { request, token, turn, cost, decoder, linesMax }: Reading,
): Promise<string | Problem> {
  const unfit = raw && dialect.refuseBytes ? await dialect.refuseBytes(request, raw, token, turn) : null
  if (unfit) return unfit
  if (!raw || !dialect.form) return (await dialect.refuse?.(text, turn)) ?? text
  const bytes = dialect.bytesOf?.(raw.inflated) ?? 0
  if (bytes > 0 && !grow(bytes)) return tooManyLarge
  const { decoded, ms } = await decoder.decode(dialect.form, raw.inflated, linesMax)
  cost.add(ms)
  return decoded
}

/** Handles batches of hits and log lines from forwarders. The path selects the dialect. */
export function createBatchHandler(deps: BatchHandlerDeps, refuse: Refuse) {
  const { settings, sites, counter, journal, clientAddress, signals, metrics, now } = deps
  const { INGEST_LINES_PER_SECOND: perSecond, INGEST_LINES_MAX: linesMax } = settings
  const bucket = createBuckets(perSecond, Math.max(perSecond, linesMax), now)
  const failures = createFailures(settings.LIMIT_FAILED_AUTHENTICATION_PER_MINUTE, now)
  const { INGEST_CPU_MS_PER_SECOND: cpuPerSecond, INGEST_CPU_BURST_MS: cpuBurst } = settings
  const cpu = createBuckets(cpuPerSecond, cpuBurst, now)
  const decoder = createDecoder()
  const nextTurn = createTurns()
  const read = createBodyReader({ ...sizesOf(settings), largeBodiesMax: 3 }, now, {
    text: (bytes) => decoder.decode('text', bytes, 0),
    turn: (of) => nextTurn(of ?? ''),
    inflate: decoder.inflate,
  })
  const charge = (site: IngestSite) => (lines: number) => bucket.charge(site.site_id, lines)
  const linesMaxOf = ({ anyLines }: Dialect) => (anyLines ? Math.max(linesMax, anyLinesMax) : linesMax)

  /** Returns a refusal that does not need the body. */
  function refusal(site: IngestSite, request: Request, batchId: string): Problem | null {
    if (request.method !== 'POST') return noSuchAddress
    const reason = journal.refusal()
    if (reason) return problem('unavailable', `Hits cannot be taken now: ${reason}.`, 5)
    const wait = bucket.wait(site.site_id)
    if (wait > 0)
      return problem('quota_exceeded', `This forwarder sends more than ${perSecond} lines a second.`, wait)
    const rest = cpu.wait(site.site_id)
    if (rest > 0) return problem('quota_exceeded', tooCostly, rest)
    return idTooLong(batchId) ? longId : null
  }

  /**
   * Answers an authenticated batch. Only this layer is async, because each async layer costs time for every
   * hit.
   */
  async function answerBatch(
    site: IngestSite,
    token: string,
    request: Request,
    dialect: Dialect,
  ): Promise<Response> {
    const told = (...[asked, how, refused]: Parameters<typeof say>) => {
      metrics.refused(refused.code)
      signals.bodyRefused(site.site_id, refused.detail)
      return say(asked, how, refused)
    }
    const id = dialect.batchId(request.headers)
    const refused = refusal(site, request, id)
    if (refused) return told(request, dialect, refused)
    const cost = startCost(cpu, site.site_id)
    const body = await read(request, dialect, site.site_id)
    cost.add(body.ms)
    if ('code' in body) return told(request, dialect, cost.refused(body))
    try {
      const turn = () => nextTurn(site.site_id)
      const text = await textOf(dialect, body, {
        request,
        token,
        turn,
        cost,
        decoder,
        linesMax: linesMaxOf(dialect),
      })
      if (typeof text !== 'string') {
        // Reading a body with too many lines was work.
        if (body.raw && text.code === 'payload_too_large') charge(site)(linesMaxOf(dialect))
        return told(request, dialect, cost.refused(text))
      }
      if (dialect.reply) return dialect.reply(text)
      const counted = await counter.count({
        site,
        text,
        id: id ? batchIdOf(site, id, dialect.givesUniqueIds ? '' : await contentOf(text, turn)) : null,
        bodySecret: token,
        isRecent: true,
        datesArrivals: dialect.datesArrivals === true,
        linesMax: linesMaxOf(dialect),
        turn,
        spent: cost.add,
      })
      if (!counted) {
        // No sender has that many invalid lines by mistake. They count against its limit, because reading them
        // was work.
        if (dialect.anyLines) charge(site)(linesMaxOf(dialect))
        return told(request, dialect, cost.refused(tooManyLines(linesMaxOf(dialect))))
      }
      charge(site)(counted.lines)
      cost.accepted(counted.lines, text.length)
      signals.linesRead(site.site_id, counted.answer)
      return (dialect.of?.(text) ?? dialect).accepted(counted.answer, request, now)
    } catch (error) {
      if (!(error instanceof JournalRefusal)) throw error
      return told(request, dialect, problem('unavailable', `Hits cannot be taken now: ${error.message}.`, 5))
    } finally {
      body.release()
    }
  }

  const say = sayer(refuse, now)

  return (request: Request, path: string, peer: PeerOf) => {
    const dialect = dialectOf(path, request.headers)
    const token = tokenOf(request)
    const site = token ? sites.byToken(token) : undefined
    if (!token || !site) {
      const client = clientAddress(peer(request), request.headers.get('x-forwarded-for'))
      return say(request, dialect, failures.isOver(client) ? tooManyFailures : unauthenticated)
    }
    return dialect ? answerBatch(site, token, request, dialect) : refuse(request, noSuchAddress)
  }
}
