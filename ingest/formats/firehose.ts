import { isRecord, type JsonRecord } from './reading'

/** Whether a body is what Amazon Data Firehose posts to an HTTP endpoint. */
export function isFirehose(record: JsonRecord): boolean {
  return typeof record.requestId === 'string' && Array.isArray(record.records)
}

/** Whether an object that begins at `start` can be a delivery, told without reading it whole. */
export const looksLikeFirehose = (text: string, start: number): boolean =>
  /^\{\s*"(?:requestId|records)"/.test(text.slice(start, start + 64))

/** The texts a Firehose body carries, or null for an entry that carries none. */
export function* firehoseTexts(record: JsonRecord): Generator<string | null> {
  for (const entry of Array.isArray(record.records) ? record.records : []) {
    const data = isRecord(entry) ? entry.data : null
    yield typeof data === 'string' ? Buffer.from(data, 'base64').toString('utf8') : null
  }
}
