import { type InflateBudget, unpacked } from '../envelopes/packed'
import { isRecord, type JsonRecord, type Refusal } from '../text/reading'

/** A record with the fields of a delivery. */
export type FirehoseDelivery = JsonRecord & {
  readonly requestId: string
  readonly records: readonly unknown[]
}

/** Whether a record is what Amazon Data Firehose posts to an HTTP endpoint. */
export function isFirehose(record: JsonRecord): record is FirehoseDelivery {
  return typeof record.requestId === 'string' && Array.isArray(record.records)
}

/** Whether an object at `start` can be a delivery, judged by its beginning. */
export const looksLikeFirehose = (text: string, start: number): boolean =>
  /^\{\s*"(?:requestId|records)"/.test(text.slice(start, start + 64))

/** Returns the entries of a delivery. */
export const firehoseEntries = ({ records }: FirehoseDelivery): readonly unknown[] => records

/** Returns the text in an entry, null if there is none, or why it cannot be read. */
export function dataOf(entry: unknown, budget: InflateBudget): string | Refusal | null {
  const data = isRecord(entry) ? entry.data : null
  return typeof data === 'string' ? unpacked(data, budget) : null
}
