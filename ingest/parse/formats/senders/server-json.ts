import type { RecordFormat } from '../text/reading'
import { type FlatNames, readFlat } from './flat'

const names: FlatNames = {
  ts: ['msec', 'time_iso8601', 'time_local', '@timestamp', 'timestamp', 'time', 'ts', 'date', 'start_time'],
  ip: [
    'remote_addr',
    'client_ip',
    'clientip',
    'remote_ip',
    'remoteIP',
    'client',
    'ip',
    'downstream_remote_address',
  ],
  method: ['request_method', 'method', 'verb'],
  target: ['request_uri', 'uri', 'path', 'url', 'request_path'],
  request: ['request'],
  host: ['host', 'http_host', 'server_name', 'vhost', 'authority', ':authority'],
  ua: ['http_user_agent', 'user_agent', 'userAgent', 'useragent', 'agent', 'ua'],
  referer: ['http_referer', 'http_referrer', 'referer', 'referrer'],
  status: ['status', 'response', 'code', 'response_code'],
  id: ['request_id', 'requestId', 'req_id', 'id'],
  signed: [
    ['http_signature_agent', 'signature_agent', 'signature-agent'],
    ['http_signature_input', 'signature_input', 'signature-input'],
    ['http_signature', 'signature'],
  ],
}
const targets = [...names.target, ...(names.request ?? [])]

/** Access logs in JSON, with the field names of nginx, Apache and Envoy. */
export const serverJson: RecordFormat = {
  knows: (record) => names.ua.some((name) => name in record) && targets.some((name) => name in record),
  // Vector's own `host` is the machine that stores the log.
  read: (record, now) =>
    readFlat('source_type' in record ? { ...record, host: undefined } : record, names, now),
}
