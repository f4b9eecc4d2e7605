import { parseJson } from 'renown/contracts'
import {
  isRecord,
  type JsonRecord,
  noRequest,
  type ParsedHit,
  type RecordFormat,
  textOf,
} from '../text/reading'
import { type FlatNames, readFlat } from './flat'
import { spacesOfPlus } from './iis'

const frontDoor: FlatNames = {
  ts: ['time', 'timeStamp'],
  // A client can set clientIp with a header of its own. socketIp is the address of the connection.
  ip: ['socketIp', 'clientIp'],
  method: ['httpMethod'],
  target: ['requestUri'],
  host: ['hostName'],
  ua: ['userAgent'],
  referer: ['referer'],
  status: ['httpStatusCode'],
  id: ['trackingReference'],
}

const gateway: FlatNames = {
  ts: ['timeStamp', 'time'],
  ip: ['clientIP'],
  method: ['httpMethod'],
  target: ['originalRequestUriWithArgs', 'requestUri'],
  host: ['originalHost', 'host'],
  ua: ['userAgent'],
  status: ['httpStatus'],
  id: ['id'],
}

const appService: FlatNames = {
  ts: ['time'],
  ip: ['CIp'],
  method: ['CsMethod'],
  target: ['CsUriStem'],
  host: ['CsHost'],
  ua: ['UserAgent'],
  referer: ['Referer'],
  status: ['ScStatus'],
  decode: (text) => (text.includes(' ') ? text : spacesOfPlus(text)),
}

const byCategory: Readonly<Record<string, FlatNames>> = {
  frontdooraccesslog: frontDoor,
  azurecdnaccesslog: frontDoor,
  applicationgatewayaccesslog: gateway,
  appservicehttplogs: appService,
}

/** Diagnostic logs of Azure: Front Door, Application Gateway and App Service. Other categories are no requests. */
export const azure: RecordFormat = {
  knows: (record) => typeof record.category === 'string' && hasTime(record) && propertiesOf(record) !== null,
  read(record, now): ParsedHit {
    const names = byCategory[String(record.category).toLowerCase()]
    const properties = propertiesOf(record) ?? {}
    // Front Door (classic) logs what its own locations fetch from each other.
    const isInner = ['false', false].includes(properties.isReceivedFromClient as never)
    if (names === undefined || isInner) return noRequest
    const { time, timeStamp } = record
    const transaction = textOf(properties.transactionId)
    const id = transaction && `${textOf(timeStamp ?? time)} ${transaction}`
    return readFlat({ ...properties, time, timeStamp, id }, names, now)
  },
}

/** Returns the properties of a record. Some exports write them as the text of an object. */
function propertiesOf({ properties }: JsonRecord): JsonRecord | null {
  if (isRecord(properties)) return properties
  if (typeof properties !== 'string') return null
  try {
    const read = parseJson(properties)
    return isRecord(read) ? read : null
  } catch {
    return null
  }
}

const hasTime = (record: JsonRecord) => 'time' in record || 'timeStamp' in record

/** Returns the records of a batch from an event hub, or null for any other record. */
export function batchOf({ records, requestId }: JsonRecord): readonly unknown[] | null {
  if (!Array.isArray(records) || requestId !== undefined) return null
  const first: unknown = records[0]
  return isRecord(first) && 'category' in first ? records : null
}
