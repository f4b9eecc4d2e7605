import { isRecord, type RecordFormat, textOf } from '../text/reading'
import { type FlatNames, readFlat } from './flat'

const names: FlatNames = {
  ts: ['timestamp'],
  ip: ['ip'],
  method: ['request_method'],
  target: ['request_path'],
  host: ['host'],
  ua: ['user-agent'],
  referer: ['referer'],
  status: ['response_status_code'],
}

/** The visits that Known Agents' snippets report: the request with its headers. */
export const knownAgents: RecordFormat = {
  knows: (record) => 'request_path' in record && isRecord(record.request_headers),
  read(record, now) {
    const headers: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(record.request_headers ?? {}))
      headers[name.toLowerCase()] = value
    const { host, referer } = headers
    const ip = lastForwarded(headers['x-forwarded-for'])
    return readFlat({ ...record, 'user-agent': headers['user-agent'], host, referer, ip }, names, now)
  },
}

/**
 * Returns the last address, which the site's own proxy added. A client may have invented the addresses before
 * it.
 */
function lastForwarded(value: unknown): string | undefined {
  const text = textOf(value)
  return text?.slice(text.lastIndexOf(',') + 1).trim()
}
