import { unescapePercent } from '../text/escapes'
import type { JsonRecord, ParsedHit, RecordFormat } from '../text/reading'
import { type FlatNames, readFlat } from './flat'
import { iisClient, iisOrder, isOfIis, mayBeIis, spacesOfPlus } from './iis'

const names: FlatNames = {
  ts: ['timestamp', 'timestamp(ms)', 'instant'],
  ip: ['c-ip'],
  method: ['cs-method'],
  target: ['cs-uri-stem'],
  host: ['x-host-header', 'cs(host)', 'cs-host'],
  ua: ['cs(user-agent)', 'cs-user-agent'],
  referer: ['cs(referer)', 'cs-referer'],
  status: ['sc-status'],
  id: ['x-edge-request-id'],
  isUtc: true,
  decode: (text) => unescapePercent(/[ %]/.test(text) ? text : text.replaceAll('+', ' ')),
}
const iisNames: FlatNames = { ...names, decode: spacesOfPlus }

const cloudfrontStandard =
  'date time x-edge-location sc-bytes c-ip cs-method cs(host) cs-uri-stem sc-status cs(referer) cs(user-agent) cs-uri-query cs(cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end'.split(
    ' ',
  )
/**
 * Real-time records have no header. These are the nine fields that Renown's set-up page names, in
 * CloudFront's order.
 */
const cloudfrontRealTime =
  'timestamp c-ip sc-status cs-method cs-uri-stem x-edge-request-id x-host-header cs-user-agent cs-referer'.split(
    ' ',
  )

/** Returns the field names of a `#Fields:` line, or null for any other comment. */
export function fieldsOf(line: string): string[] | null {
  if (line.slice(0, 8).toLowerCase() !== '#fields:') return null
  const names = line.slice(8).trim().toLowerCase()
  return names === '' ? null : names.split(/\s+/)
}

/** Returns the field names of the first line of a log with commas, as Amplify writes it. Null for any other line. */
export function csvFieldsOf(line: string): string[] | null {
  return line.startsWith('date,time,') ? withoutEscapes(line).trim().toLowerCase().split(',') : null
}

/** Amplify writes a backslash before brackets. */
const withoutEscapes = (text: string) => text.replaceAll('\\', '')

/** Whether a line has commas between its values: one follows the date. */
const isCsv = (line: string) => line.charCodeAt(10) === 44 && line.charCodeAt(4) === 45

/**
 * Reads a line of the W3C extended format. CloudFront's lines have a fixed order of fields, those of IIS its
 * default order unless `#Fields` is before them, and all others the order of their `#Fields`.
 */
export function readW3c(line: string, fields: readonly string[] | null, now: number): ParsedHit | null {
  const isIis = fields === null && mayBeIis(line)
  const values = valuesOf(line, fields !== null || isIis)
  const order = fields ?? (isIis ? iisOrder(values) : knownOrder(values))
  if (!order || values.length < Math.min(order.length, 3) || values.length > order.length) return null
  const record: Record<string, unknown> = {}
  for (const [at, value] of values.entries()) record[order[at] as string] = value === '-' ? '' : value
  return readW3cRecord(record, now, ofIis(order))
}

function valuesOf(line: string, hasSpaces: boolean): readonly string[] {
  if (line.includes('\t')) return line.split('\t')
  if (isCsv(line)) return withoutEscapes(line).split(',')
  return hasSpaces ? line.split(' ') : []
}

const iisOrders = new WeakMap<readonly string[], boolean>()

/** Like `isOfIis`, but looks at the same fields only once. */
function ofIis(order: readonly string[]): boolean {
  const found = iisOrders.get(order) ?? isOfIis(order)
  iisOrders.set(order, found)
  return found
}

/** CloudFront's logs as JSON, with the same names. */
export const cloudfrontJson: RecordFormat = {
  knows: (record) => 'cs-uri-stem' in record && 'cs-method' in record,
  read(record, now) {
    const lower = Object.entries(record).map(([name, value]) => [
      name.toLowerCase(),
      value === '-' ? '' : value,
    ])
    const one = Object.fromEntries(lower)
    return readW3cRecord(one, now, isOfIis(Object.keys(one)))
  },
}

function readW3cRecord(record: JsonRecord, now: number, isIis: boolean): ParsedHit {
  const { date, time } = record
  const instant = typeof date === 'string' && typeof time === 'string' && date ? `${date}T${time}` : ''
  if (!isIis) return readFlat({ ...record, instant }, names, now)
  const path = String(record['cs-uri-stem'] ?? '').replaceAll('+', '%20')
  const ip = iisClient(String(record['c-ip'] ?? ''), String(record['x-forwarded-for'] ?? ''))
  const hit = readFlat({ ...record, instant, 'cs-uri-stem': path, 'c-ip': ip }, iisNames, now)
  return ip === null && 'ts' in hit ? { ...hit, ofMany: true } : hit
}

function knownOrder(values: readonly string[]): readonly string[] | null {
  const first = values[0] ?? ''
  if (/^\d{10}(\.\d+)?$/.test(first) && values.length === cloudfrontRealTime.length) return cloudfrontRealTime
  return /^\d{4}-\d\d-\d\d$/.test(first) && values.length >= 19 ? cloudfrontStandard : null
}
