import type { Hit } from 'renown/contracts'
import { clientOf } from '../fields'
import {
  badTime,
  isRecord,
  type JsonRecord,
  noRequest,
  noTarget,
  type RecordFormat,
  signedOf,
  statusOf,
  textOf,
  unreadTime,
} from '../text/reading'
import { instantOf, isZoneless } from '../text/time'
import { marked } from './flat'

/** Caddy 2's JSON access log. `client_ip` (2.7 and later) already respects trusted proxies. */
export const caddy: RecordFormat = {
  knows: (record) => isRecord(record.request) && 'msg' in record,
  read(record, now) {
    if (record.msg !== 'handled request' || !isRecord(record.request)) return noRequest
    const { request } = record
    const headers = isRecord(request.headers) ? request.headers : {}
    const ts = 'ts' in record ? instantOf(record.ts) : now
    if (ts === null) return badTime
    const elsewhere = 'ts' in record ? null : unreadTime(record)
    if (elsewhere) return elsewhere
    const target = textOf(request.uri)
    if (!target) return noTarget
    // Until Caddy 2.4 there is only `remote_addr`, with the port.
    const connection = textOf(request.client_ip) ?? textOf(request.remote_ip) ?? textOf(request.remote_addr)
    const { ip, isOneOfMany } = clientOf(connection, headerOf(headers, 'X-Forwarded-For'))
    const hit: Hit = {
      ts,
      ip,
      method: textOf(request.method) ?? 'GET',
      target,
      host: textOf(request.host),
      ua: textOf(headerOf(headers, 'User-Agent')) ?? '',
      referer: textOf(headerOf(headers, 'Referer')),
      status: statusOf(record.status),
      id: idOf(record, request),
      signed: signedOf(headers['Signature-Agent'], headers['Signature-Input'], headers.Signature),
    }
    return marked(hit, !('ts' in record), isOneOfMany, isZoneless(record.ts))
  },
}

/** Returns a header. Caddy writes the usual case, and what follows it may not. */
const headerOf = (headers: JsonRecord, name: string): unknown => headers[name] ?? headers[name.toLowerCase()]

/**
 * Caddy writes no id. Its time in fractions of a microsecond, the client's port, the duration and the path are together
 * just as unique. With a coarser time, requests of one connection differ by the path at least.
 */
function idOf({ ts, duration }: JsonRecord, { remote_port, uri }: JsonRecord): string | undefined {
  const parts = [textOf(ts), textOf(remote_port), textOf(duration), textOf(uri)]
  return parts.includes(undefined) || Number.isInteger(ts) ? undefined : parts.join(' ')
}
