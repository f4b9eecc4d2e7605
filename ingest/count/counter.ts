import type { BatchAnswer, BatchReason, Hit, IngestSite } from 'renown/contracts'
import { dayMs } from 'renown/contracts'
import type { Journal } from '../journal/journal'
import type { BatchRecord, JournalHit } from '../journal/segment'
import type { AgentIndex, AgentsInUse } from '../judge/agent-index'
import type { Agent } from '../judge/classify'
import type { Ranges } from '../judge/ranges'
import type { Claim } from '../judge/signature/claim'
import type { Signatures } from '../judge/signatures'
import type { DayOf } from '../parse/days'
import { type BodyReader, mappedReader, readBody, unfinished } from '../parse/formats'
import type { ParsedHit } from '../parse/formats/text/reading'
import { hash32 } from '../parse/hash'
import type { PathBound } from '../parse/path-bound'
import { hostOf, pathOf } from '../parse/paths'
import { hasOtherHost, isOfSite } from '../sites/site-host'
import { idByContent, nextImmediate } from './content-id'
import { claimedAtOnce, type Dedup, type HitClaim, type SiteDedup } from './dedup'
import { hasOwnTime, type KeyOf, keysOfBatch } from './hit-key'
import { startWork } from './measured-work'
import type { Metrics } from './metrics'
import type { NewAgents } from './new-agents'
import {
  emptyTally,
  ignore,
  note,
  reasons,
  reasonsOf,
  reject,
  sayInDoubt,
  saySigned,
  sayUnchecked,
  sayUnread,
  type Tally,
  unreadReason,
} from './tally'
import { namedAgent, seeUnnamed } from './unnamed'

export interface CounterDeps {
  readonly journal: Journal
  readonly dedup: Dedup
  readonly ranges: Pick<Ranges, 'verdict' | 'isInDoubt'>
  readonly signatures: Signatures
  /** The agents that are known now. */
  readonly agents: Pick<AgentsInUse, 'current'>
  readonly newAgents: Pick<NewAgents, 'see'>
  readonly dayOf: DayOf
  readonly paths: PathBound
  readonly metrics: Metrics
  /** Days until hits expire. 0 if they do not. */
  readonly keptDays: number
  /** Maximum length of an access log line, in characters. */
  readonly lineMax: number
  /**
   * Whether other processes count too. A hit that a sender may repeat at one of them then needs an id that
   * all of them see.
   */
  readonly isOneOfMany: boolean
  readonly now: () => Date
}

export interface Batch {
  readonly site: IngestSite
  readonly text: string
  /** The sender's own id of the batch. Retries have the same one. */
  readonly id: string | null
  /** Part of the id that is made from the content of a batch without its own id. Only the sender knows it. */
  readonly bodySecret: string
  /** False for imports of old logs. */
  readonly isRecent: boolean
  /** Whether a line without a time gets the time of its arrival. Otherwise it is rejected. */
  readonly datesArrivals: boolean
  readonly linesMax: number
  /** Gives the event loop to other work. Default: until it has served what waits. */
  readonly turn?: () => Promise<void>
  /** Receives the processor time of a batch that took more than one slice, in milliseconds. */
  readonly spent?: (ms: number) => void
}

/**
 * Counts batches. Each line is classified and verified, and all counted hits are in the journal before the
 * answer.
 */
export interface Counter {
  /** Counts a batch. Null if it has more than `linesMax` lines. None of them counts then. */
  count(batch: Batch): Promise<CountedBatch | null> | CountedBatch | null
}
export interface CountedBatch {
  readonly answer: BatchAnswer
  readonly lines: number
  /** The hits that were counted, now or earlier. */
  readonly hits: readonly JournalHit[]
}

/** Hits may be this old, in milliseconds. */
export const pastMs = 7 * dayMs
/**
 * Hits are rejected this many days before they would expire. Until then, their day ends in every time zone and
 * its row is written.
 */
const expiryDays = 3
/** Hits may be this far ahead, in milliseconds. */
export const futureMs = 10 * 60_000
/** How long to work on one batch before other work can run, in milliseconds. */
const turnMs = 5
/** After this many lines or characters, the time is checked. */
const linesPerLook = 16
const charactersPerLook = 2 ** 16

/** Creates the counter. */
export function createCounter(deps: CounterDeps): Counter {
  return {
    count(batch) {
      const run = startTally(deps, batch)
      let isPart = true
      try {
        isPart = !takeSlice(deps, batch, run)
      } finally {
        if (!isPart) run.body.stop()
      }
      return isPart ? countInTurns(deps, batch, run) : settle(deps, batch, run.tally)
    },
  }
}

async function countInTurns(deps: CounterDeps, batch: Batch, run: Run): Promise<CountedBatch | null> {
  const work = startWork(batch.turn ?? nextImmediate, turnMs)
  try {
    do await work.turn()
    while (!takeSlice(deps, batch, run))
    // What is left of a large batch takes turns too, and pays for them.
    return await settle(deps, withTurn(batch, work.turn), run.tally)
  } finally {
    run.body.stop()
    batch.spent?.(work.spent())
  }
}

const withTurn = (batch: Batch, turn: () => Promise<void>): Batch => ({ ...batch, turn })

interface Run {
  readonly tally: Tally
  readonly body: BodyReader
  readonly now: number
  readonly keyOf: KeyOf
}

function startTally(deps: CounterDeps, { text, site }: Batch): Run {
  const now = deps.now().getTime()
  const mapped = site.log_mapping ? mappedReader(site.log_mapping) : null
  const body = readBody(text, now, deps.lineMax, mapped)
  // The seed separates the ids of sites.
  return { tally: emptyTally(now), body, now, keyOf: keysOfBatch(hash32(site.site_id)) }
}

/** Processes lines for one turn. Returns true after the last line, or after one too many. */
function takeSlice(deps: CounterDeps, batch: Batch, run: Run): boolean {
  const { tally, body } = run
  let began = 0
  for (;;) {
    const from = body.at + body.inflated
    for (let left = linesPerLook; left > 0 && body.at + body.inflated - from < charactersPerLook; left--) {
      const reading = body.next()
      if (!reading) return true
      if (reading === unfinished) break
      if (++tally.lines > batch.linesMax) return true
      countHit(deps, batch, run, reading)
    }
    // Most batches end before the first check of the time.
    if (began === 0) began = performance.now()
    else if (performance.now() - began >= turnMs) return false
  }
}

/** Lines by the agent they were classified as. */
export function agentsOf({ hits }: Pick<CountedBatch, 'hits'>): Record<string, number> {
  const agents: Record<string, number> = {}
  for (const { agent } of hits) agents[agent] = (agents[agent] ?? 0) + 1
  return agents
}

function countHit(deps: CounterDeps, { site, isRecent, datesArrivals }: Batch, run: Run, hit: ParsedHit) {
  const { tally, now } = run
  const { line } = run.body
  if ('rejected' in hit) return reject(tally, line, hit.rejected)
  if ('ignored' in hit) return ignore(tally, hit.ignored)
  const { ts } = hit
  if (hit.undated) {
    if (!datesArrivals) return reject(tally, line, reasons.noTime)
    tally.isDated = false
  }
  if (ts > now + futureMs) return reject(tally, line, reasons.ahead)
  if (isRecent && ts < now - pastMs) return reject(tally, line, reasons.past)
  // Reject hits of days that have partly expired, because such a day must not be computed again from the
  // rest.
  if (deps.keptDays > 0 && ts < now - (deps.keptDays - expiryDays) * dayMs) {
    return reject(tally, line, 'The time is older than HITS_KEPT_DAYS allows')
  }
  const claims = hit.signed ? deps.signatures.claims(hit.signed) : null
  const named = agentOf(deps.agents.current, hit, site, tally)
  if (typeof named === 'string') return ignore(tally, named)
  const agent = named ?? (claims && deps.signatures.agentOf(claims))
  if (!agent) return void tally.ofNoAgent++
  const asked = hostOf(hit.target)
  const host = asked ?? hit.host
  if (host && !isOfSite(host, site.domain)) {
    ignore(tally, reasons.otherHost)
    return note(tally, line, `Ignored: ${reasons.otherHost}`)
  }
  const isOther = !claims && hasOtherHost(asked, hit.host, site.domain)
  const found = counted(deps, site, run, hit, agent, isOther)
  if (hit.undated) tally.dated++
  if (hit.zoneless) tally.zoneless++
  if (isOther) {
    tally.hits.push(found)
    return sayUnchecked(tally, reasons.otherHosts)
  }
  if (claims) return pushSigned(deps, site, run, hit, { claims, agent, found })
  tally.hits.push(found)
  if (found.verdict === 'unchecked') sayWhy(deps, tally, line, hit, agent)
}

/** Counts why the address of a hit proves nothing, if it is not the usual reason. */
function sayWhy({ ranges }: CounterDeps, tally: Tally, line: number, hit: Hit, agent: Agent) {
  sayUnread(tally, line, hit)
  if (unreadReason(hit) === null && ranges.isInDoubt(agent.operator)) sayInDoubt(tally)
}

interface SignedHit {
  readonly claims: readonly Claim[]
  readonly agent: Agent
  readonly found: JournalHit
}

/** Adds a signed hit, with the verdict after its signature. */
function pushSigned(deps: CounterDeps, site: IngestSite, { tally, body }: Run, hit: Hit, signed: SignedHit) {
  const { claims, agent, found } = signed
  const judged = deps.signatures.verdict(claims, agent, requestOf(hit), site, found.verdict)
  const { verdict, signer, verified_by, reason } = judged
  tally.hits.push({ ...found, verdict, signer, verified_by })
  saySigned(tally, judged)
  if (verdict === 'unchecked' && !reason) sayWhy(deps, tally, body.line, hit, agent)
}

const requestOf = ({ ts, method, target, host, ua, referer }: Hit) => ({
  ts,
  method,
  target,
  host,
  ua,
  referer,
})

function countedBatch(deps: CounterDeps, tally: Tally, answer: BatchAnswer): CountedBatch {
  deps.metrics.batch(answer)
  return { answer, lines: tally.lines, hits: tally.hits }
}

/** Returns the agent, null if the line names none, or why its lines are not counted. */
function agentOf(index: AgentIndex, hit: Hit, site: IngestSite, tally: Tally): Agent | string | null {
  if (!site.is_active) return reasons.inactive
  if (hit.method !== 'GET' && hit.method !== 'HEAD') return reasons.otherMethod
  const agent = namedAgent(index, tally, hit, site)
  return agent?.class === 'search_engine' && !site.count_search_engines ? reasons.searchEngine : agent
}

/** Returns the hit with a verdict instead of its IP address. */
function counted(
  deps: CounterDeps,
  site: IngestSite,
  run: Run,
  hit: Hit,
  agent: Agent,
  isDoubted: boolean,
): JournalHit {
  const { ts } = hit
  const id = hit.id || undefined
  const date = deps.dayOf(ts, site.timezone)
  // With 53 bits and ten million ids a day, one in a billion hits is mistaken for another.
  const key = id !== undefined || run.body.isEnveloped ? run.keyOf(hit, id) : null
  if (key) run.tally.keys.push(key.id)
  if (id !== undefined && !hasOwnTime(hit)) {
    run.tally.untimed ??= new Set()
    run.tally.untimed.add(run.tally.hits.length)
  }
  return {
    kind: 'crawl',
    site_id: site.site_id,
    date,
    agent: agent.name,
    category: agent.category,
    operator: agent.operator,
    path: deps.paths.admit(site.site_id, date, pathOf(hit.target)),
    verdict: isDoubted ? 'unchecked' : deps.ranges.verdict(agent, hit.ip, ts, run.now),
    status: hit.status,
    signer: undefined,
    verified_by: undefined,
    ts,
    id: id === undefined ? undefined : key?.id,
    sender_id: id === undefined ? undefined : key?.sender_id,
  }
}

/** Writes the new hits of a batch, or reports that it was already written. */
function settle(deps: CounterDeps, batch: Batch, tally: Tally) {
  if (tally.lines > batch.linesMax) return null
  const isSeen = tally.unnamed !== undefined && batch.isRecent
  if (tally.hits.length === 0) {
    if (isSeen) seeUnnamed(deps, batch.site, tally)
    return countedBatch(deps, tally, answerOf(tally, 0, 0))
  }
  const id = batch.id ?? idByContent(deps, batch, tally)
  const settled =
    id instanceof Promise
      ? id.then((known) => settleWith(deps, batch, tally, known))
      : settleWith(deps, batch, tally, id)
  return isSeen ? settled.then((counted) => withUnnamed(deps, batch, tally, counted)) : settled
}

const settleWith = (deps: CounterDeps, batch: Batch, tally: Tally, id: string | null) =>
  id === null ? write(deps, batch, tally, null) : settleById(deps, batch, tally, id)

/** Counts the unknown agents of a batch that is no repetition. */
function withUnnamed(deps: CounterDeps, { site }: Batch, tally: Tally, counted: CountedBatch): CountedBatch {
  if (counted.answer.accepted > 0) seeUnnamed(deps, site, tally)
  return counted
}

async function settleById(deps: CounterDeps, batch: Batch, tally: Tally, id: string): Promise<CountedBatch> {
  const dedup = deps.dedup.of(batch.site.site_id)
  const claim = dedup.claimBatch(id)
  if (claim.kind === 'known') return countedBatch(deps, tally, repeated(claim.record))
  if (claim.kind === 'pending') {
    const record = await claim.outcome
    return record ? countedBatch(deps, tally, repeated(record)) : settleById(deps, batch, tally, id)
  }
  try {
    return await write(deps, batch, tally, id)
  } catch (error) {
    dedup.releaseBatch(id)
    throw error
  }
}

/** Claims the hits of a batch. A large batch takes turns, and other batches of its site wait until it is claimed. */
async function claimsOf(dedup: SiteDedup, { hits, at }: Tally, turn: () => Promise<void>): Promise<HitClaim> {
  for (let earlier = dedup.claiming(); earlier; earlier = dedup.claiming()) await earlier
  return hits.length > claimedAtOnce ? dedup.claimInTurns(hits, at, turn) : dedup.claimHits(hits, at)
}

async function write(
  deps: CounterDeps,
  batch: Batch,
  tally: Tally,
  id: string | null,
): Promise<CountedBatch> {
  const { journal, now } = deps
  const dedup = deps.dedup.of(batch.site.site_id)
  const { turn = nextImmediate } = batch
  // Most batches are small, and need not wait.
  const isSmall = tally.hits.length <= claimedAtOnce && !dedup.claiming()
  const claimed = isSmall ? dedup.claimHits(tally.hits, tally.at) : await claimsOf(dedup, tally, turn)
  const { duplicates } = claimed
  tally.repeated = claimed.repeated
  tally.duplicate = tally.untimed ? [...duplicates].filter((at) => tally.untimed?.has(at)).length : 0
  try {
    if (claimed.settled && !(await claimed.settled)) {
      // The other batch was not written after all, so its hits belong to this one.
      dedup.releaseHits(claimed)
      return await write(deps, batch, tally, id)
    }
    const fresh = duplicates.size === 0 ? tally.hits : tally.hits.filter((_, index) => !duplicates.has(index))
    const answer = answerOf(tally, fresh.length, duplicates.size)
    const record = id === null ? undefined : recordOf(id, answer, now().getTime())
    await journal.append({ hits: fresh, batch: record, turn })
    dedup.commitHits(claimed)
    if (record) dedup.commitBatch(record)
    return countedBatch(deps, tally, answer)
  } catch (error) {
    dedup.releaseHits(claimed)
    throw error
  }
}

const recordOf = (id: string, { accepted, ignored, rejected, duplicate }: BatchAnswer, at: number) =>
  ({ id, accepted, ignored, rejected, duplicate, at }) satisfies BatchRecord

const noReasons: readonly BatchReason[] = []

const answerOf = (tally: Tally, accepted: number, duplicate: number): BatchAnswer => ({
  accepted,
  ignored: tally.ignored + tally.ofNoAgent,
  rejected: tally.rejected,
  duplicate,
  reasons: tally.reasons ?? noReasons,
  ...reasonsOf(tally),
})

const repeated = ({ accepted, ignored, rejected, duplicate }: BatchRecord): BatchAnswer => ({
  accepted: 0,
  ignored,
  rejected,
  duplicate: accepted + duplicate,
  reasons: [],
})
