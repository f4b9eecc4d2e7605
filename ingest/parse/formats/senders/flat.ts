import type { Hit } from 'renown/contracts'
import { clientOf, type Facts, factsOf } from '../fields'
import {
  badTime,
  type JsonRecord,
  noRequest,
  noTarget,
  type ParsedHit,
  requestLine,
  signedOf,
  statusOf,
  textOf,
  unreadTime,
} from '../text/reading'
import { instantOf, isZoneless } from '../text/time'

/** The field names of a flat record. If there are several names, the first one in the record counts. */
export interface FlatNames {
  readonly ts: readonly string[]
  readonly ip: readonly string[]
  readonly method?: readonly string[]
  /** Path or URL. */
  readonly target: readonly string[]
  /** A whole request line, if the record has no target. */
  readonly request?: readonly string[]
  readonly host?: readonly string[]
  readonly ua: readonly string[]
  readonly referer?: readonly string[]
  readonly status?: readonly string[]
  readonly id?: readonly string[]
  /** Names of `Signature-Agent`, `Signature-Input` and `Signature`. */
  readonly signed?: readonly (readonly string[])[]
  /** Whether a field without one of these names may have any other name that is known for it. */
  readonly isOpen?: boolean
  /** Whether the times of this sender are UTC by its documentation, with or without a zone. */
  readonly isUtc?: boolean
  /** Decodes the texts of this sender. */
  readonly decode?: (text: string) => string
}

// Of one shape with those of records, so that reading them is fast.
const noFacts: Facts = factsOf({})
const bareText = (text: string) => text

/** Reads a record of plain fields. If it has no time, it gets the time `now` and is marked. */
export function readFlat(
  record: JsonRecord,
  names: FlatNames,
  now: number,
  facts: Facts = names.isOpen ? factsOf(record) : noFacts,
): ParsedHit {
  const written = pick(record, names.ts) ?? facts.ts
  const undated = written === undefined
  const ts = undated ? now : instantOf(written)
  if (ts === null) return badTime
  const elsewhere = undated ? unreadTime(record) : null
  if (elsewhere) return elsewhere
  const request = requestOf(record, names, facts)
  if (!request) return noTarget
  if (request === 'none') return noRequest
  const { decode = bareText } = names
  const ua = textOf(pick(record, names.ua) ?? facts.ua)
  const referer = textOf(pick(record, names.referer) ?? facts.referer)
  const { ip, isOneOfMany } = clientOf(textOf(pick(record, names.ip) ?? facts.ip), facts.forwarded)
  const hit: Hit = {
    ts,
    ip,
    method: request.method,
    target: request.target,
    host: textOf(pick(record, names.host) ?? facts.host),
    ua: ua ? decode(ua) : '',
    referer: referer ? decode(referer) : undefined,
    status: statusOf(pick(record, names.status) ?? facts.status),
    id: textOf(pick(record, names.id) ?? facts.id),
    signed: signedIn(record, names.signed, facts),
  }
  return marked(hit, undated, isOneOfMany, !names.isUtc && isZoneless(written))
}

/** Returns a hit with what is not certain about it. */
export function marked(hit: Hit, undated: boolean, ofMany: boolean, zoneless: boolean): Hit {
  if (!undated && !ofMany && !zoneless) return hit
  return {
    ...hit,
    ...(undated && { undated }),
    ...(ofMany && { ofMany }),
    ...(zoneless && { zoneless }),
  }
}

function signedIn(record: JsonRecord, names: FlatNames['signed'], facts: Facts) {
  if (!names) return signedOf(facts.signatureAgent, facts.signatureInput, facts.signature)
  const [agent, input, signature] = names
  return signedOf(pick(record, agent), pick(record, input), pick(record, signature))
}

function requestOf(record: JsonRecord, names: FlatNames, facts: Facts) {
  const line = textOf(pick(record, names.request) ?? facts.request)
  const method = textOf(pick(record, names.method) ?? facts.method)
  const target = textOf(pick(record, names.target) ?? facts.asked ?? facts.target)
  const own = line === undefined ? null : requestIn(line, method)
  const isBetter = target === undefined || (names.target.length === 0 && facts.asked === undefined)
  if (own && isBetter) return own
  if (target && !isPattern(target)) return { method: method ?? 'GET', target }
  if (line) return own ?? 'none'
  // If a client sent no request line, the log has an empty one.
  const isEmpty = names.request?.some((name) => name in record) || (names.isOpen && 'request' in record)
  return isEmpty ? 'none' : null
}

/** Returns the request in a line such as `GET /a HTTP/1.1`, or in a path alone, as older patterns of Logstash name it. */
function requestIn(line: string, method = 'GET') {
  if (line.startsWith('/')) return { method, target: line }
  const found = requestLine(line)
  return found && !isPattern(found.target) ? found : null
}

/** Whether a path is the pattern of a route, such as `/{proxy+}`, and not what was requested. */
const isPattern = (target: string) => /^\/[^?]*\{[^{}?]*\}/.test(target)

function pick(record: JsonRecord, names: readonly string[] = []): unknown {
  for (const name of names) {
    const value = record[name]
    if (value !== undefined && value !== null && value !== '') return value
  }
  return undefined
}
