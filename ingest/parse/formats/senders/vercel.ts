import { isRecord, noRequest, type RecordFormat } from '../text/reading'
import { type FlatNames, readFlat } from './flat'

const names: FlatNames = {
  ts: ['timestamp'],
  ip: ['clientIp'],
  method: ['method'],
  target: ['path'],
  host: ['host'],
  ua: ['userAgent'],
  referer: ['referer'],
  status: ['statusCode'],
  id: ['requestId'],
}

/** Vercel's log drains. One request has several entries with one id. Entries without `proxy` are not requests. */
export const vercel: RecordFormat = {
  knows: (record) => isRecord(record.proxy) || ('deploymentId' in record && 'source' in record),
  read(record, now) {
    if (!isRecord(record.proxy)) return noRequest
    const requestId = record.requestId ?? record.proxy.vercelId ?? record.id
    return readFlat({ timestamp: record.timestamp, ...record.proxy, requestId }, names, now)
  },
}
