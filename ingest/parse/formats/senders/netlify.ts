import { noRequest, type RecordFormat } from '../text/reading'
import { type FlatNames, readFlat } from './flat'

const names: FlatNames = {
  ts: ['timestamp'],
  ip: ['client_ip'],
  method: ['method'],
  target: ['url', 'path'],
  host: ['domain'],
  ua: ['user_agent'],
  referer: ['referrer'],
  status: ['status_code'],
  id: ['request_id'],
  isOpen: true,
}

/**
 * Netlify's log drains, type `traffic`. If personal data is excluded there is no IP address, so nothing can
 * be verified.
 */
export const netlify: RecordFormat = {
  knows: (record) => 'log_type' in record || ('status_code' in record && 'user_agent' in record),
  read: (record, now) =>
    'log_type' in record && record.log_type !== 'traffic' ? noRequest : readFlat(record, names, now),
}
