import { skipSpace } from '../text/json-spans'
import { isRecord, type JsonRecord } from '../text/reading'
import { cloudwatch } from './cloudwatch'
import type { Enclosed, Envelope } from './enclosed'
import { loki } from './loki'
import { otlp } from './otlp'

const envelopes: readonly Envelope[] = [loki, cloudwatch, otlp]

const beginning = /\{\s{0,64}"(streams|resourceLogs|messageType|logEvents)"/y
const byName: Readonly<Record<string, Envelope>> = { streams: loki, resourceLogs: otlp }

/** Returns the envelope that begins at an index of a text, judged by its first name. */
export function envelopeAt(text: string, start: number): Envelope | null {
  beginning.lastIndex = start
  const name = beginning.exec(text)?.[1]
  return name === undefined ? null : (byName[name] ?? cloudwatch)
}

/** Whether a body is logs of OpenTelemetry as JSON, judged by its first name. */
export const isOtlp = (text: string): boolean => envelopeAt(text, skipSpace(text, 0)) === otlp

/** Returns the envelope that a record is, whatever the order of its members. */
export const envelopeOf = (record: JsonRecord): Envelope | null =>
  envelopes.find(({ path }) => Array.isArray(record[path[0] ?? ''])) ?? null

/** Returns the line in a record of a container's log, as Docker writes it, or null. */
export function dockerIn({ log, time, stream }: JsonRecord): Enclosed | null {
  return isContent(log) && (stream === 'stdout' || stream === 'stderr')
    ? { content: log, time, isLogged: true }
    : null
}

/** Returns what an event of Splunk's collector wraps, or null. */
export function eventIn({ event, time, id }: JsonRecord): Enclosed | null {
  if (!isContent(event)) return null
  const content = isRecord(event) ? (event.original ?? event) : event
  return { content, time, ...(typeof id === 'string' && id !== '' ? { id } : {}) }
}

const isContent = (value: unknown) => isRecord(value) || (typeof value === 'string' && value.trim() !== '')
