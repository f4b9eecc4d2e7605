import type { IngestState, Stalls } from 'renown/contracts'
import type { Flusher, Trouble } from '../flush/flusher'
import { damagedEnding } from '../flush/set-aside'
import { systemFiles } from '../journal/files'
import { type Journal, poisonDirectory, segmentsDirectory } from '../journal/journal'
import { bytesOf, openedAt, type SegmentSizes } from '../journal/segment-folder'

export interface StateDeps {
  readonly directory: string
  readonly journal: Journal
  readonly flusher: Flusher
  readonly now: () => Date
  readonly stalls: () => Stalls
  /** Keeps the sizes of segments between calls. */
  readonly sizes?: SegmentSizes
}

/** Returns the status of the ingest: what it refuses, what waits, and why. */
export async function stateOf(deps: StateDeps): Promise<IngestState> {
  const { directory, journal, flusher, now, stalls, sizes = new Map() } = deps
  const folder = segmentsDirectory(directory)
  const at = now().getTime()
  const names = (await listed(folder)).filter((name) => name.endsWith('.seg')).sort()
  const bytes = await bytesOf(systemFiles, folder, names, sizes)
  const [oldest] = names
  const setAside = await listed(poisonDirectory(directory))
  const damaged = setAside.filter((name) => name.endsWith(damagedEnding))
  const reason = journal.refusal()
  const trouble = flusher.trouble()
  return {
    accepting: reason === null,
    reason,
    clickhouse: trouble?.of === 'clickhouse' ? troubleState(trouble) : null,
    gateway: trouble?.of === 'gateway' ? troubleState(trouble) : null,
    waiting_segments: names.length,
    waiting_bytes: bytes,
    oldest_waiting_seconds: oldest ? Math.max(0, Math.round((at - openedAt(oldest)) / 1_000)) : null,
    set_aside_segments: setAside.length - damaged.length,
    damaged_segments: damaged.length,
    stalls: stalls(),
  }
}

const troubleState = ({ reason, since }: Trouble) => ({ reason, since: since.toISOString() })
const listed = (folder: string) => systemFiles.list(folder).catch(() => [])
