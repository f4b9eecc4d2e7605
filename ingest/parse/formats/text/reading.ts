import type { Hit, SignatureHeaders } from 'renown/contracts'
import { recordCharactersMax } from './json-spans'
import { instantOf } from './time'

/** A line that is not a hit: unreadable, or valid but not counted. The texts never quote the line. */
export type Refusal = { readonly rejected: string } | { readonly ignored: string }

/** The result of a format for a record. */
export type ParsedHit = Hit | Refusal

/** A JSON object, in which senders wrap requests. */
export type JsonRecord = Readonly<Record<string, unknown>>

/** Adds the line or record to a hit without a time, because then its digest belongs to what tells it from others. */
export const asWritten = (read: ParsedHit, written: unknown): ParsedHit =>
  'undated' in read && read.undated ? { ...read, written } : read

/**
 * One format of JSON records: how to recognize it, and how to read it. `now` is the time of records without
 * one.
 */
export interface RecordFormat {
  readonly knows: (record: JsonRecord) => boolean
  readonly read: (record: JsonRecord, now: number) => ParsedHit
}

export const badTime: Refusal = { rejected: 'The time cannot be read' }
export const noTarget: Refusal = { rejected: 'The record has no path or URL' }
export const noRequest: Refusal = { ignored: 'Not a request' }
export const badJson: Refusal = { rejected: 'Not JSON' }
export const tooLargeRecord: Refusal = { rejected: `A record may have ${recordCharactersMax} characters` }

const timeName = /time|date|stamp|^ts$|[._-]ts$|^at$|[._-]at$/i
const fieldsLooked = 200

/**
 * Returns the refusal of a record whose time is in a field that its format does not read. Null if it has no
 * time at all. Such a record may be old, so the time of its arrival must not be used.
 */
export function unreadTime(record: JsonRecord): Refusal | null {
  let looked = 0
  for (const name in record) {
    if (++looked > fieldsLooked) return null
    if (isTime(name, record[name])) return timeElsewhere
  }
  return null
}

// The text does not contain the field's name, which comes from the sender, because reasons are counted in a
// closed set.
const timeElsewhere: Refusal = {
  rejected: 'The time is in an unknown field: send it as ts (RFC 3339 or seconds since 1970)',
}

function isTime(name: string, value: unknown): boolean {
  const isNamed = timeName.test(name)
  if (typeof value === 'number') return isNamed && instantOf(value) !== null
  if (typeof value !== 'string') return isNamed && isRecord(value)
  if (value.length < 8 || value.length > 64 || !/\d\d/.test(value)) return false
  return isNamed ? /\d{4}|\d:\d/.test(value) : /\D/.test(value) && instantOf(value) !== null
}

/** Whether a JSON value is an object and not an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Maximum characters of a field that are read. The stored part of every field is much shorter. */
const textMax = 2 ** 15

/**
 * Returns the text of a field, of its first element, or of a number. Undefined for an empty text and the `-`
 * of logs.
 */
export function textOf(value: unknown): string | undefined {
  const one = Array.isArray(value) ? value[0] : value
  if (typeof one === 'string') return one === '' || one === '-' ? undefined : one.slice(0, textMax)
  return typeof one === 'number' ? String(one) : undefined
}

/** Returns an HTTP status, or undefined. It may be in quotes, or before its name, as in `200 OK`. */
export function statusOf(value: unknown): number | undefined {
  const status = typeof value === 'string' ? Number(writtenStatus.exec(value)?.[1]) : value
  return Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 999
    ? Number(status)
    : undefined
}

const writtenStatus = /^\s{0,8}"?(\d{3})(?:\.0{1,3})?(?![\d.])/

/** Returns the method and target of a request line, or null if it is invalid. */
export function requestLine(text: string): { readonly method: string; readonly target: string } | null {
  const first = text.indexOf(' ')
  if (first <= 0 || !isToken(text, first)) return null
  const last = text.lastIndexOf(' ')
  const end = last > first && text.startsWith('HTTP/', last + 1) ? last : text.length
  return end > first + 1 ? { method: text.slice(0, first), target: text.slice(first + 1, end) } : null
}

/** Whether a text can be a method: only letters. Binary garbage on an open port is not, nor a `-` instead of a request. */
function isToken(text: string, end: number): boolean {
  if (end > 20 || text.charCodeAt(0) === 45) return false
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at) | 32
    if ((code < 97 || code > 122) && code !== 45) return false
  }
  return true
}

/** Maximum characters of a field of a signature. Longer ones are not signatures of crawlers. */
const signedMax = 4_096

/** Returns the fields of a signed request, or undefined if one of them is missing. A header may come several times. */
export function signedOf(agent: unknown, input: unknown, signature: unknown): SignatureHeaders | undefined {
  // Nearly every request is unsigned.
  if (!agent || !input || !signature) return undefined
  const one = headerText(agent)
  const two = headerText(input)
  const three = headerText(signature)
  return one && two && three ? { agent: one, input: two, signature: three } : undefined
}

function headerText(value: unknown): string | undefined {
  const text = Array.isArray(value) && value.length <= 8 ? value.join(', ') : value
  return typeof text === 'string' && text !== '-' && text.length <= signedMax ? text : undefined
}
