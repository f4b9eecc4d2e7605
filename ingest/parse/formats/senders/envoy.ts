import type { Hit } from 'renown/contracts'
import { parseAddress } from '../../address'
import { clientBehind, withoutPort } from '../text/client'
import {
  badTime,
  type JsonRecord,
  noRequest,
  type ParsedHit,
  type RecordFormat,
  requestLine,
  statusOf,
  textOf,
} from '../text/reading'
import { instantOf } from '../text/time'
import { type FlatNames, marked, readFlat } from './flat'

/** Headers at the end: forwarded, agent, id of the request, authority, upstream. */
const headersCount = 5
/** Words behind the headers in Istio's format, up to the address of the client. */
const addressWord = 3
/** A line of millions of quotes is not split completely. */
const partsMax = 64

/**
 * Reads a line of the default text format of Envoy or Istio: `[time] "request" status flags … "forwarded" "agent"
 * "id" "authority" "upstream" …`. Returns null for any other line.
 */
export function readEnvoy(line: string): ParsedHit | null {
  if (line.startsWith(emissary)) return readEnvoy(line.slice(emissary.length))
  if (line.charCodeAt(0) !== 91 || line.charCodeAt(5) !== 45) return null
  const bracket = line.indexOf('] "')
  if (bracket === -1 || bracket > 40) return null
  const end = requestEnd(line, bracket + 3)
  if (end === -1) return null
  const headers = headersIn(line, end)
  if (!headers) return null
  const ts = instantOf(line.slice(1, bracket))
  if (ts === null) return badTime
  // A connection without a request is logged as `- - -`.
  const request = requestLine(line.slice(bracket + 3, end))
  if (!request) return noRequest
  const { forwarded, ua, id, host, connection } = headers
  const ip = headers.isCertain ? clientBehind(connection, textOf(forwarded)) : null
  const hit: Hit = {
    ts,
    ip,
    method: request.method,
    target: request.target,
    host: textOf(host),
    ua: ua === '-' ? '' : ua,
    status: statusOf(line.slice(end + 2, end + 5)),
    // Clients can send the id of a request. The time makes it unique.
    id: textOf(id) && `${line.slice(1, bracket)} ${id}`,
  }
  return marked(hit, false, ip === null && textOf(forwarded) !== undefined, false)
}

/** Emissary and Ambassador write this before the line. */
const emissary = 'ACCESS '

/** Returns the index of the quote after the request: a status of up to three digits follows it. */
function requestEnd(line: string, from: number): number {
  const end = line.slice(from).search(/" \d{1,3} /)
  return end === -1 ? -1 : from + end
}

/** Reads the quoted headers. Envoy does not escape quotes, so with more of them only the last headers are certain. */
function headersIn(line: string, from: number) {
  const parts = line.slice(from).split('" "', partsMax)
  const first = parts[0] ?? ''
  if (parts.length < headersCount || parts.length === partsMax) return null
  const [id = '', host = '', last = ''] = parts.slice(-3)
  const words = last
    .slice(last.indexOf('"') + 1)
    .trim()
    .split(/\s{1,9}/, addressWord + 1)
  const connection = words[addressWord]
  return {
    forwarded: first.slice(first.lastIndexOf('"') + 1),
    ua: parts.slice(1, -3).join('" "'),
    id,
    host,
    connection: connection !== undefined && parseAddress(connection) ? withoutPort(connection) : undefined,
    isCertain: parts.length === headersCount,
  }
}

const names: FlatNames = {
  ts: ['start_time'],
  ip: ['client'],
  method: ['method', ':method'],
  target: ['x-envoy-original-path', 'x-envoy-origin-path', 'path', ':path'],
  host: ['authority', ':authority'],
  ua: ['user_agent', 'user-agent'],
  referer: ['referer'],
  status: ['response_code'],
  id: ['id'],
  isOpen: true,
}

/** Access logs in JSON with the field names of Istio and Envoy Gateway. */
export const envoyJson: RecordFormat = {
  knows: (record) =>
    'response_flags' in record &&
    'start_time' in record &&
    ('user_agent' in record || 'user-agent' in record),
  read(record, now) {
    if (textOf(record.method ?? record[':method']) === undefined) return noRequest
    const forwarded = textOf(record.x_forwarded_for ?? record['x-forwarded-for'])
    const connection = textOf(record.downstream_remote_address)
    const client = connection && withoutPort(connection)
    return readFlat({ ...record, client, forwarded_for: forwarded, id: idOf(record) }, names, now)
  },
}

function idOf(record: JsonRecord): string | undefined {
  const id = textOf(record.request_id ?? record['x-request-id'])
  return id && `${textOf(record.start_time)} ${id}`
}
