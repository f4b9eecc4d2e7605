import { isRecord, type JsonRecord, noRequest, type RecordFormat, textOf } from '../text/reading'
import { type FlatNames, readFlat } from './flat'

const names: FlatNames = {
  ts: ['timestamp', 'receiveTimestamp'],
  ip: ['remoteIp'],
  method: ['requestMethod'],
  target: ['requestUrl'],
  ua: ['userAgent'],
  referer: ['referer'],
  status: ['status'],
  id: ['id'],
}

/** Entries of Cloud Logging with a request: load balancers, Cloud CDN, Cloud Run, Firebase Hosting and others. */
export const googleCloud: RecordFormat = {
  // A web application firewall has an object of this name too, with other fields.
  knows: ({ httpRequest }) => isRecord(httpRequest) && !('uri' in httpRequest && 'clientIp' in httpRequest),
  read(record, now) {
    const request = isRecord(record.httpRequest) ? record.httpRequest : {}
    // A failed TLS handshake has neither.
    if (textOf(request.requestUrl) === undefined && textOf(request.requestMethod) === undefined)
      return noRequest
    const { timestamp, receiveTimestamp, insertId } = record
    const id = textOf(insertId) && `${textOf(timestamp)} ${textOf(insertId)}`
    return readFlat({ ...request, timestamp, receiveTimestamp, id }, names, now)
  },
}

/** Returns the text in what Pub/Sub pushes, an empty text if it has none, and null for any other record. */
export function pushedText({ message, subscription }: JsonRecord): string | null {
  if (!isRecord(message) || typeof subscription !== 'string') return null
  if (!('messageId' in message) && !('message_id' in message) && !('data' in message)) return null
  return typeof message.data === 'string' ? Buffer.from(message.data, 'base64').toString('utf8') : ''
}
