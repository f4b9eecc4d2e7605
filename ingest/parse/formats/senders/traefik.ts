import type { RecordFormat } from '../text/reading'
import { type FlatNames, readFlat } from './flat'

const names: FlatNames = {
  ts: ['StartUTC', 'StartLocal', 'time'],
  ip: ['ClientHost', 'ClientAddr'],
  method: ['RequestMethod'],
  target: ['RequestPath'],
  host: ['RequestHost', 'RequestAddr'],
  ua: ['request_User-Agent'],
  referer: ['request_Referer'],
  status: ['DownstreamStatus'],
  isOpen: true,
}

/** Traefik's JSON access log. It drops the headers unless the configuration keeps User-Agent and Referer. */
export const traefik: RecordFormat = {
  knows: (record) => 'RequestPath' in record && 'RequestMethod' in record,
  read: (record, now) => readFlat(record, names, now),
}
