import { isRecord, noRequest, type RecordFormat } from '../text/reading'
import { type FlatNames, readFlat } from './flat'

const names: FlatNames = {
  ts: ['EdgeStartTimestamp'],
  ip: ['ClientIP'],
  method: ['ClientRequestMethod'],
  target: ['ClientRequestURI', 'ClientRequestPath'],
  host: ['ClientRequestHost'],
  ua: ['ClientRequestUserAgent'],
  referer: ['ClientRequestReferer'],
  status: ['EdgeResponseStatus'],
  id: ['RayID'],
  signed: [['signature-agent'], ['signature-input'], ['signature']],
}

/** Cloudflare Logpush, data set `http_requests`, and the file that it uploads to test a destination. */
export const cloudflare: RecordFormat = {
  knows: (record) => 'ClientRequestUserAgent' in record || 'EdgeStartTimestamp' in record || isTrial(record),
  read(record, now) {
    // Requests that Cloudflare itself makes for a visitor repeat the same visit.
    const source = record.ClientRequestSource
    if (isTrial(record) || (source !== undefined && source !== 'eyeball')) return noRequest
    // A job can log headers of its own choice.
    const { RequestHeaders: headers } = record
    return readFlat(isRecord(headers) ? { ...headers, ...record } : record, names, now)
  },
}

function isTrial(record: Readonly<Record<string, unknown>>): boolean {
  return record.content === 'tests'
}
