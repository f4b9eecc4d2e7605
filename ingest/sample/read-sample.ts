import {
  type Hit,
  type LogMapping,
  type LogSample,
  type LogSampleLine,
  type LogSampleResult,
  logSampleMax,
} from 'renown/contracts'
import { futureMs, pastMs } from '../count/counter'
import { reasons, unreadReason } from '../count/tally'
import { type Classify, classify, createClassify } from '../judge/classify'
import { parseAddress } from '../parse/address'
import { mappedReader, readBody, unfinished } from '../parse/formats'
import type { RecordReader } from '../parse/formats/mapped'
import type { JsonRecord, ParsedHit } from '../parse/formats/text/reading'
import { hostOf, normalPath } from '../parse/paths'
import { hasOtherHost, isOfSite } from '../sites/site-host'
import { fieldsOf } from './fields'
import { maskAddresses } from './mask'
import { proposeMapping } from './propose'
import { linesOfSample } from './split'

/**
 * Reads a few lines of a site's log as the ingest would, with a mapping or with one that it proposes. The result
 * contains no address. Nothing is counted or stored.
 */
export async function readLogSample(sample: LogSample, now: Date): Promise<LogSampleResult> {
  const lines = linesOfSample(sample.text.slice(0, logSampleMax.characters))
  const records = lines.map((line) => innermost(line, now)).filter((record) => record !== null)
  const fields = fieldsOf(records)
  const mapping = sample.mapping ?? proposeMapping(fields, records.length, sample.domain)
  const agentOf = sample.agents ? createClassify(sample.agents.agents) : classify
  const plain = lines.map((line) => resultOf(line, null, now))
  return {
    text: maskAddresses(lines.join('\n')),
    mapping,
    lines: lines.flatMap((line, at) => sampleLines(line, at + 1, mapping, { sample, agentOf, now })),
    fields: [...fields.keys()],
    known_lines: plain.filter((one) => one.every((hit) => 'ts' in hit && !hit.undated)).length,
  }
}

/** Returns the record inside all envelopes of a line, or null if it contains none. */
function innermost(line: string, now: Date): JsonRecord | null {
  const seen: JsonRecord[] = []
  const collect: RecordReader = (record) => {
    seen.push(record)
    return null
  }
  resultsOf(line, collect, now)
  return seen.at(-1) ?? null
}

const resultOf = (line: string, mapping: LogMapping | null, now: Date) =>
  resultsOf(line, mapping && mappedReader(mapping), now)

/** A line is read alone, so one that the others need (`#Fields`) has no effect. Mappings are for JSON. */
function resultsOf(line: string, mapped: RecordReader | null, now: Date): ParsedHit[] {
  const body = readBody(line, now.getTime(), logSampleMax.characters, mapped)
  const results: ParsedHit[] = []
  for (let one = body.next(); one; one = body.next()) if (one !== unfinished) results.push(one)
  return results
}

interface Judging {
  readonly sample: LogSample
  readonly agentOf: Classify
  readonly now: Date
}

function sampleLines(
  text: string,
  line: number,
  mapping: LogMapping | null,
  { sample, agentOf, now }: Judging,
): LogSampleLine[] {
  return resultOf(text, mapping, now).map((hit) => {
    if ('rejected' in hit) return { line, outcome: 'rejected', reason: hit.rejected, request: null }
    if ('ignored' in hit) return { line, outcome: 'ignored', reason: hit.ignored, request: null }
    return { line, ...judged(hit, agentOf, sample, now.getTime()), request: requestOf(hit, agentOf) }
  })
}

/** Returns what the counter would do with a hit, for the same reasons in the same order. */
function judged(
  hit: Hit,
  agentOf: Classify,
  { domain, count_search_engines }: LogSample,
  now: number,
): Pick<LogSampleLine, 'outcome' | 'reason'> {
  const rejected = (reason: string) => ({ outcome: 'rejected', reason }) as const
  const ignored = (reason: string) => ({ outcome: 'ignored', reason }) as const
  if (hit.undated) return rejected(reasons.noTime)
  if (hit.ts > now + futureMs) return rejected(reasons.ahead)
  if (hit.ts < now - pastMs) return rejected(reasons.past)
  if (hit.method !== 'GET' && hit.method !== 'HEAD') return ignored(reasons.otherMethod)
  const agent = agentOf(hit.ua)
  if (!agent) return ignored(reasons.noAgent)
  if (agent.class === 'search_engine' && !count_search_engines) return ignored(reasons.searchEngine)
  const asked = hostOf(hit.target)
  const host = asked ?? hit.host
  if (host && !isOfSite(host, domain)) return ignored(reasons.otherHost)
  const unchecked = hasOtherHost(asked, hit.host, domain) ? reasons.otherHosts : unreadReason(hit)
  return { outcome: 'counted', reason: unchecked ?? (hit.zoneless ? reasons.zoneless : null) }
}

const addressOf = (ip: string | null) => (ip === null ? 'none' : parseAddress(ip) ? 'read' : 'unreadable')

const shownMax = 200

/** Returns an instant as a text. Null after the year 9999, which has another form. */
function instantText(ts: number): string | null {
  const text = new Date(ts).toISOString()
  return /^\d/.test(text) ? text : null
}

function requestOf(hit: Hit, agentOf: Classify): LogSampleLine['request'] {
  const host = hostOf(hit.target) ?? hit.host ?? null
  const from = hit.referer === undefined ? null : hostOf(hit.referer)
  return {
    time: hit.undated ? null : instantText(hit.ts),
    address: addressOf(hit.ip),
    method: hit.method.slice(0, 20),
    path: maskAddresses(normalPath(hit.target)).slice(0, shownMax),
    host: host === null ? null : maskAddresses(host).slice(0, shownMax),
    status: hit.status ?? null,
    agent: agentOf(hit.ua)?.name ?? null,
    has_user_agent: hit.ua !== '',
    referrer: from === null ? null : maskAddresses(from).slice(0, shownMax),
    has_id: hit.id !== undefined,
  }
}
