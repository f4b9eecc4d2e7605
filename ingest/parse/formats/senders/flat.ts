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
import { instantOf } from '../text/time'

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
  /** Decodes the texts of this sender. */
  readonly decode?: (text: string) => string
}

/** Reads a record of plain fields. If it has no time, it gets the time `now` and is marked. */
export function readFlat(record: JsonRecord, names: FlatNames, now: number): ParsedHit {
  const written = pick(record, names.ts)
  const undated = written === undefined
  const ts = undated ? now : instantOf(written)
  if (ts === null) return badTime
  const elsewhere = undated ? unreadTime(record) : null
  if (elsewhere) return elsewhere
  const request = requestOf(record, names)
  if (!request) return noTarget
  if (request === 'none') return noRequest
  const { decode = (text: string) => text } = names
  const ua = textOf(pick(record, names.ua))
  const referer = textOf(pick(record, names.referer))
  const hit = {
    ts,
    ip: textOf(pick(record, names.ip)) ?? null,
    method: request.method,
    target: request.target,
    host: textOf(pick(record, names.host)),
    ua: ua ? decode(ua) : '',
    referer: referer ? decode(referer) : undefined,
    status: statusOf(pick(record, names.status)),
    id: textOf(pick(record, names.id)),
    signed: signedIn(record, names.signed),
  }
  return undated ? { ...hit, undated: true } : hit
}

function signedIn(record: JsonRecord, names: FlatNames['signed']) {
  if (!names) return undefined
  const [agent, input, signature] = names
  return signedOf(pick(record, agent), pick(record, input), pick(record, signature))
}

function requestOf(record: JsonRecord, names: FlatNames) {
  const method = textOf(pick(record, names.method))
  const target = textOf(pick(record, names.target))
  if (target) return { method: method ?? 'GET', target }
  const line = textOf(pick(record, names.request))
  if (line) return requestLine(line) ?? 'none'
  // If a client sent no request line, the log has an empty one.
  return names.request?.some((name) => name in record) ? 'none' : null
}

function pick(record: JsonRecord, names: readonly string[] = []): unknown {
  for (const name of names) {
    const value = record[name]
    if (value !== undefined && value !== null && value !== '') return value
  }
  return undefined
}
