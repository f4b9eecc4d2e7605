import type { IngestSite, PeerOf, Settings } from 'renown/contracts'
import type { Counter } from '../count/counter'
import { type Journal, JournalRefusal } from '../journal/journal'
import type { Signals } from '../sites/signals'
import { type Sites, sha256 } from '../sites/sites'
import { createBodyReader, type ReadBody } from './body'
import type { ClientAddress } from './client-address'
import { tokenOf } from './credentials'
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
  readonly now: () => Date
}

const unauthenticated = problem('unauthenticated', "Send the site's forwarder token as a bearer token.")
const tooManyFailures = problem('quota_exceeded', 'Too many requests without a valid token.', 60)
const tooManyLines = (max: number) =>
  problem('payload_too_large', `A batch may have ${max} lines. Send it in parts.`)
/** More lines than a batch can have within its byte limit, because a log line has at least 40 bytes. */
const anyLinesMax = 1_700_000
const longId = problem('malformed_request', 'A batch id may have at most 256 characters.')

/**
 * Returns the lines in a binary body. One with too many counts against its sender's limit, because reading it was
 * work.
 */
async function translated(
  { translate }: Dialect,
  { raw, text, grow }: ReadBody,
  linesMax: number,
  charge: (lines: number) => void,
) {
  const read = raw && translate ? await translate(raw.inflated, { linesMax, grow }) : text
  if (typeof read !== 'string' && read.code === 'payload_too_large') charge(linesMax)
  return read
}

/**
 * The id of a batch that its sender named. Its content is part of it, because people set the header to a constant: then each batch is
 * another one. A batch that is sent again has the same content.
 */
const batchIdOf = ({ site_id }: IngestSite, id: string, content: string) =>
  sha256(`${site_id}\nid\n${id}\n${content}`).slice(0, 32)

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

/** Handles batches of hits and log lines from forwarders. The path selects the dialect. */
export function createBatchHandler(deps: BatchHandlerDeps, refuse: Refuse) {
  const { settings, sites, counter, journal, clientAddress, signals, now } = deps
  const { INGEST_LINES_PER_SECOND: perSecond, INGEST_LINES_MAX: linesMax } = settings
  const bucket = createBuckets(perSecond, Math.max(perSecond, linesMax), now)
  const failures = createFailures(settings.LIMIT_FAILED_AUTHENTICATION_PER_MINUTE, now)
  const read = createBodyReader({ ...sizesOf(settings), largeBodiesMax: 3 }, now)
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
    const id = dialect.batchId(request.headers)
    const refused = refusal(site, request, id)
    if (refused) return say(request, dialect, refused)
    const body = await read(request, dialect, site.site_id)
    if ('code' in body) return say(request, dialect, body)
    try {
      const unfit = dialect.refuse ? await dialect.refuse(request, body, token) : null
      if (unfit) return say(request, dialect, unfit)
      if (dialect.reply) return dialect.reply(body)
      const text = dialect.translate
        ? await translated(dialect, body, linesMaxOf(dialect), charge(site))
        : body.text
      if (typeof text !== 'string') return say(request, dialect, text)
      const counted = await counter.count({
        site,
        text,
        id: id ? batchIdOf(site, id, dialect.givesUniqueIds ? '' : sha256(text)) : null,
        bodySecret: token,
        isRecent: true,
        datesArrivals: dialect.datesArrivals === true,
        linesMax: linesMaxOf(dialect),
      })
      if (!counted) {
        // No sender has so many invalid lines by mistake. They count against its limit, because reading them
        // was work.
        if (dialect.anyLines) charge(site)(linesMaxOf(dialect))
        return say(request, dialect, tooManyLines(linesMaxOf(dialect)))
      }
      charge(site)(counted.lines)
      signals.linesRead(site.site_id, counted.answer)
      return (dialect.of?.(text) ?? dialect).accepted(counted.answer, request, now)
    } catch (error) {
      if (!(error instanceof JournalRefusal)) throw error
      return say(request, dialect, problem('unavailable', `Hits cannot be taken now: ${error.message}.`, 5))
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
