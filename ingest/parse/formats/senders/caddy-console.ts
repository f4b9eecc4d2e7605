import type { Readings } from '../readings'
import { readJson } from '../readings'
import { isRecord, noRequest, type ParsedHit } from '../text/reading'
import { withoutMarks } from '../text/stripped'
import { instantOf } from '../text/time'
import { caddy } from './caddy'

/** The columns before the object: the time, the level, the logger and the message, with a tab after each. */
const head = /^([\d/:. T+Z-]{10,40})\t\s{0,2}([A-Za-z]{4,6})\t([\w.-]{1,128})\t([^\t{]{1,256})\t(?=\{)/
const slashes = /^(\d{4})\/(\d\d)\/(\d\d) /

/** Reads a line of Caddy's console format, `time level logger message {…}`. Returns null for any other line. */
export function readCaddyConsole(line: string): Readings | null {
  if (line.charCodeAt(0) !== 50 && line.charCodeAt(0) !== 49) return null
  if (!line.includes('\t{')) return null
  const text = withoutMarks(line)
  const found = head.exec(text)
  if (!found) return null
  const [columns, time = '', , logger = '', msg] = found
  if (!logger.startsWith('http.log')) return noRequest
  const ts = time.trim().replace(slashes, '$1-$2-$3 ')
  return readJson(text.slice(columns.length), (value): ParsedHit => {
    const record = isRecord(value) ? { ...value, msg, ts: instantOf(ts) === null ? time : ts } : null
    return record && caddy.knows(record) ? caddy.read(record, 0) : noRequest
  })
}
