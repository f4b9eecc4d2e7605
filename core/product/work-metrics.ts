import { statfsSync } from 'node:fs'
import { gauge, type Metric, type MetricSample } from '../contracts/metrics'
import { where } from '../contracts/where'
import { Job } from '../jobs/Job'
import { version } from '../process/version'
import type { Documents } from '../stores/documents/port'
import { SyncStatus } from '../tenancy/news/SyncStatus'

export interface WorkMetricsDeps {
  readonly documents: Documents
  readonly now: () => Date
  /** The data folder, whose disk is measured. Null: none. */
  readonly folder: string | null
  /** How long counts are kept, because several monitors may ask. */
  readonly keptMs?: number
}

/** What the work of the installation is, as numbers. The counts are the same at every gateway, because the stores are. */
export interface WorkMetrics {
  /** Answers while the documents are away, without what they would tell. */
  read(): Promise<readonly Metric[]>
}

const keptMs = 15_000

/** Counts waiting and failed work and the age of syncs, at most every 15 s. */
export function createWorkMetrics({
  documents,
  now,
  folder,
  keptMs: kept = keptMs,
}: WorkMetricsDeps): WorkMetrics {
  let known: { readonly at: number; readonly metrics: Promise<readonly Metric[]> } | null = null
  const stored = () => {
    const at = now().getTime()
    if (known && Math.abs(at - known.at) < kept) return known.metrics
    const metrics = Promise.all([jobMetrics(documents, now()), syncMetrics(documents, now())]).then((all) =>
      all.flat(),
    )
    known = { at, metrics }
    metrics.catch(() => {
      known = null
    })
    return metrics
  }
  return {
    read: async () => [infoMetric, ...diskMetrics(folder), ...(await stored().catch(() => []))],
  }
}

const infoMetric: Metric = {
  name: 'renown_info',
  help: 'Always 1. Its labels are the versions of Renown and of Bun.',
  type: 'gauge',
  samples: [{ labels: { version, bun: Bun.version }, value: 1 }],
}

/** Nothing where the disk cannot be read. */
function diskMetrics(folder: string | null): Metric[] {
  const disk = folder === null ? null : diskOf(folder)
  if (disk === null) return []
  const { bavail, blocks, bsize } = disk
  return [
    gauge('renown_data_disk_free_bytes', 'Free space of the disk with the data folder.', bavail * bsize),
    gauge('renown_data_disk_bytes', 'Size of the disk with the data folder.', blocks * bsize),
  ]
}

function diskOf(folder: string) {
  try {
    return statfsSync(folder)
  } catch {
    return null
  }
}

/** Waiting, running and failed jobs of each queue. Replies, posts, reports and mail all wait in one. */
async function jobMetrics(documents: Documents, now: Date): Promise<Metric[]> {
  const jobs = documents.collection(Job)
  const due = where.and(where.eq('state', 'queued'), where.lte('due_at', now.toISOString()))
  const [active, late, failed] = await Promise.all([
    jobs.group({
      where: where.eq('is_active', true),
      by: ['queue', 'state'],
      measures: [{ as: 'n', fn: 'count' }],
    }),
    jobs.group({
      where: where.and(where.eq('is_active', true), due),
      by: ['queue'],
      measures: [{ as: 'oldest', fn: 'min', field: 'due_at' }],
    }),
    jobs.group({ where: where.eq('state', 'failed'), by: ['queue'], measures: [{ as: 'n', fn: 'count' }] }),
  ])
  return [
    {
      name: 'renown_jobs',
      help: 'Jobs that wait or run.',
      type: 'gauge',
      samples: active.map(({ queue, state, n }) => sample({ queue, state }, n)),
    },
    {
      name: 'renown_jobs_late_seconds',
      help: 'How long the oldest job that is due has waited for a worker.',
      type: 'gauge',
      samples: late.map(({ queue, oldest }) => sample({ queue }, ageOf(oldest, now))),
    },
    {
      name: 'renown_jobs_failed',
      help: 'Jobs that failed for good in the last 30 days.',
      type: 'gauge',
      samples: failed.map(({ queue, n }) => sample({ queue }, n)),
    },
  ]
}

/** How old the syncs of each source are, and how many ended badly. */
async function syncMetrics(documents: Documents, now: Date): Promise<Metric[]> {
  const rows = await documents.collection(SyncStatus).group({
    by: ['kind', 'source', 'status'],
    measures: [
      { as: 'n', fn: 'count' },
      { as: 'newest', fn: 'max', field: 'finished_at' },
      { as: 'oldest', fn: 'min', field: 'finished_at' },
    ],
  })
  // A sync without an end has no age.
  const whole = rows.filter(({ status, newest }) => status === 'succeeded' && newest !== null)
  return [
    {
      name: 'renown_syncs',
      help: 'Connected sources of all locations, by the state of their last sync.',
      type: 'gauge',
      samples: rows.map(({ kind, source, status, n }) => sample({ kind, source, status }, n)),
    },
    {
      name: 'renown_sync_newest_seconds',
      help: 'Age of the last sync of a source that was complete, at any location.',
      type: 'gauge',
      samples: whole.map(({ kind, source, newest }) => sample({ kind, source }, ageOf(newest, now))),
    },
    {
      name: 'renown_sync_oldest_seconds',
      help: 'Age of the last sync of a source, at the location whose complete sync is longest ago.',
      type: 'gauge',
      samples: whole.map(({ kind, source, oldest }) => sample({ kind, source }, ageOf(oldest, now))),
    },
  ]
}

const sample = (labels: Readonly<Record<string, unknown>>, value: unknown): MetricSample => ({
  labels: Object.fromEntries(Object.entries(labels).map(([name, text]) => [name, String(text)])),
  value: Number(value),
})

const ageOf = (instant: unknown, now: Date): number =>
  Math.max(0, (now.getTime() - Date.parse(String(instant))) / 1_000)
