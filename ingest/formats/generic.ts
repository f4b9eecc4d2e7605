import { type FlatNames, readFlat } from './flat'
import type { RecordFormat } from './reading'

const names: FlatNames = {
  ts: ['ts'],
  ip: ['ip'],
  method: ['method'],
  target: ['path', 'url'],
  host: ['host'],
  ua: ['ua'],
  referer: ['referer', 'referrer'],
  status: ['status'],
  id: ['id'],
}

/** Our own shape: `{ts, ip, method, path|url, host?, status?, ua, referer?, id?}`. Fastly's documented format is this one. */
export const generic: RecordFormat = {
  knows: (record) => 'ua' in record && ('path' in record || 'url' in record),
  read: (record, now) => readFlat(record, names, now),
}
