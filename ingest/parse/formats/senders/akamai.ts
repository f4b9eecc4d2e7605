import { unescapePercent } from '../text/escapes'
import type { RecordFormat } from '../text/reading'
import { type FlatNames, readFlat } from './flat'

const names: FlatNames = {
  ts: ['reqTimeSec'],
  ip: ['cliIP'],
  method: ['reqMethod'],
  target: ['reqPath'],
  host: ['reqHost'],
  ua: ['UA'],
  referer: ['referer'],
  status: ['statusCode'],
  id: ['reqId'],
  decode: unescapePercent,
}

/** Akamai DataStream 2, which percent-encodes spaces and everything that is not ASCII. */
export const akamai: RecordFormat = {
  knows: (record) => 'reqTimeSec' in record || ('cliIP' in record && 'reqPath' in record),
  read(record, now) {
    const path = typeof record.reqPath === 'string' ? record.reqPath : ''
    return readFlat(
      { ...record, reqPath: path === '' || path.startsWith('/') ? path : `/${path}` },
      names,
      now,
    )
  },
}
