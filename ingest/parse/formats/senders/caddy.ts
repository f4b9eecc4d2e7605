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
import { instantOf } from '../text/time'

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
    const hit = {
      ts,
      ip: textOf(request.client_ip) ?? textOf(request.remote_ip) ?? null,
      method: textOf(request.method) ?? 'GET',
      target,
      host: textOf(request.host),
      ua: textOf(headers['User-Agent']) ?? '',
      referer: textOf(headers.Referer),
      status: statusOf(record.status),
      id: idOf(record, request),
      signed: signedOf(headers['Signature-Agent'], headers['Signature-Input'], headers.Signature),
    }
    return 'ts' in record ? hit : { ...hit, undated: true }
  },
}

/**
 * Caddy writes no id. Its time in fractions of a microsecond, the client's port, the duration and the path are together
 * just as unique. With a coarser time, requests of one connection differ by the path at least.
 */
function idOf({ ts, duration }: JsonRecord, { remote_port, uri }: JsonRecord): string | undefined {
  const parts = [textOf(ts), textOf(remote_port), textOf(duration), textOf(uri)]
  return parts.includes(undefined) || Number.isInteger(ts) ? undefined : parts.join(' ')
}
