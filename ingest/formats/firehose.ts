import { isRecord, type JsonRecord } from './reading'

/** Whether a body is what Amazon Data Firehose posts to an HTTP endpoint. */
export function isFirehose(record: JsonRecord): boolean {
  return typeof record.requestId === 'string' && Array.isArray(record.records)
}

/** The texts a Firehose body carries, or null for an entry that carries none. */
export function firehoseTexts(record: JsonRecord): (string | null)[] {
  const records = Array.isArray(record.records) ? record.records : []
  return records.map((entry) => {
    const data = isRecord(entry) ? entry.data : null
    return typeof data === 'string' ? Buffer.from(data, 'base64').toString('utf8') : null
  })
}
