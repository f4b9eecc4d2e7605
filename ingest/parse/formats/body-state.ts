import { type InflateBudget, inflatedRecordsMax } from './envelopes/packed'
import type { RecordReader } from './mapped'

/** State that the lines of a body share. */
export interface BodyState {
  readonly now: number
  /** The fields of the last `#Fields` line, in order. */
  fields: string[] | null
  /** Longest line of an access log. A JSON line can be a whole batch. */
  readonly lineMax: number
  /** Beginnings of lines that a container runtime split, by stream. Empty if there are none. */
  readonly parts: { stdout: string; stderr: string }
  readonly budget: InflateBudget
  /** Whether a log service put an envelope around lines, which may differ when it sends them again. */
  isEnveloped: boolean
  /** Reads the records of a site with a mapping. */
  readonly mapped: RecordReader | null
}

/** Returns the state before the first line of a body. */
export const startState = (now: number, lineMax: number, mapped: RecordReader | null = null): BodyState => ({
  mapped,
  isEnveloped: false,
  now,
  fields: null,
  lineMax,
  parts: { stdout: '', stderr: '' },
  budget: { left: inflatedRecordsMax },
})
