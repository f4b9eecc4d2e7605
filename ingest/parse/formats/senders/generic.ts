import type { Hit } from 'renown/contracts'
import { clientOf, factsOf } from '../fields'
import { isPublicText } from '../text/client'
import {
  badTime,
  type JsonRecord,
  noRequest,
  noTarget,
  type ParsedHit,
  type RecordFormat,
  signedOf,
  statusOf,
  textOf,
  unreadTime,
} from '../text/reading'
import { instantOf, isZoneless } from '../text/time'
import { marked } from './flat'

/**
 * Renown's own form: `{ts, ip, method, path|url, host?, status?, ua, referer?, id?, signature_agent?, signature_input?,
 * signature?}`. It is also the format that Fastly documents.
 */
export const generic: RecordFormat = {
  knows: (record) =>
    'ua' in record && ('path' in record || 'url' in record) && ('ts' in record || isUntimed(record)),
  read,
}

/** Whether no known field has a time. If one has, the table of all names reads the record. */
const isUntimed = (record: JsonRecord): boolean => factsOf(record).ts === undefined

// Reads fields by name instead of by a table, because this format comes with a million lines at a time.
function read(record: JsonRecord, now: number): ParsedHit {
  const { ts: written } = record
  const undated = written === undefined || written === null || written === ''
  const ts = undated ? now : instantOf(written)
  if (ts === null) return badTime
  const elsewhere = undated ? unreadTime(record) : null
  if (elsewhere) return elsewhere
  const target = textOf(record.path) ?? textOf(record.url)
  // nginx writes empty fields for bytes that were no request.
  if (!target) return 'method' in record && textOf(record.method) === undefined ? noRequest : noTarget
  const own = textOf(record.ip)
  // The address of a proxy is the client's only if nobody is named behind it.
  const { ip, isOneOfMany } =
    own !== undefined && isPublicText(own) ? { ip: own, isOneOfMany: false } : clientIn(record, own)
  const hit: Hit = {
    ts,
    ip,
    method: textOf(record.method) ?? 'GET',
    target,
    host: textOf(record.host),
    ua: textOf(record.ua) ?? '',
    referer: textOf(record.referer ?? record.referrer),
    status: statusOf(record.status),
    id: textOf(record.id),
    signed: signedOf(record.signature_agent, record.signature_input, record.signature),
  }
  return marked(hit, undated, isOneOfMany, isZoneless(written))
}

function clientIn(record: JsonRecord, own: string | undefined) {
  const { ip, forwarded } = factsOf(record)
  return clientOf(own ?? textOf(ip), forwarded)
}
