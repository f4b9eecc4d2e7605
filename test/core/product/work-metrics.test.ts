import { expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import type { Row } from '../../../core/contracts/entity'
import { metricsText } from '../../../core/contracts/metrics'
import { Job } from '../../../core/jobs/Job'
import { createWorkMetrics } from '../../../core/product/work-metrics'
import { openMongo } from '../../../core/stores/documents/mongo'
import { type Documents, UnavailableError } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { SyncStatus } from '../../../core/tenancy/news/SyncStatus'
import { describeStores, mongoUri } from '../../support/mongo'
import { part } from '../../support/part'
import { quietLog as log } from '../../support/quiet-log'

const at = Date.parse('2026-11-29T10:00:00Z')
const ago = (seconds: number) => new Date(at - seconds * 1_000).toISOString()
const now = () => new Date(at)

const job = (id: string, queue: string, state: Row<typeof Job>['state'], due_at: string) => ({
  id,
  workspace_id: `wsp_${id}`,
  created_date: ago(9_000),
  updated_date: ago(9_000),
  queue,
  key: id,
  state,
  is_active: state === 'queued' || state === 'running',
  payload: { secret: 'jane@example.com' },
  due_at,
  attempt: 0,
  waits: 0,
  fence: 0,
})
const sync = (
  id: string,
  source: string,
  status: Row<typeof SyncStatus>['status'],
  finished: string | undefined,
) => ({
  id,
  workspace_id: 'wsp_1',
  location_id: `loc_${id}`,
  created_date: ago(9_000),
  updated_date: ago(9_000),
  kind: 'reviews' as const,
  source,
  status,
  items_seen: 0,
  items_changed: 0,
  complete: status === 'succeeded',
  ...(finished === undefined ? {} : { finished_at: finished }),
})

const stores = {
  SQLite: () => openSqlite({ path: ':memory:', now, log }),
  MongoDB: () => openMongo({ uri: mongoUri() ?? 'mongodb://127.0.0.1:9/none', now, log }),
}

describeStores<() => Documents | Promise<Documents>>(stores, 'work in %s', (_, open) => {
  test('is counted by queue and by source, with how long it waits and how old it is', async () => {
    const documents = await open()
    try {
      await documents.ensure([Job, SyncStatus])
      const jobs = documents.collection<typeof Job>(Job)
      for (const row of [
        job('job_1', 'mail.send', 'queued', ago(120)),
        job('job_2', 'mail.send', 'queued', ago(60)),
        job('job_3', 'mail.send', 'queued', ago(-60)),
        job('job_4', 'mail.send', 'running', ago(500)),
        job('job_5', 'post.publish', 'failed', ago(900)),
        job('job_6', 'post.publish', 'done', ago(900)),
      ])
        await jobs.insert(part(row))
      const syncs = documents.collection<typeof SyncStatus>(SyncStatus)
      for (const row of [
        sync('syn_1', 'google', 'succeeded', ago(30)),
        sync('syn_2', 'google', 'succeeded', ago(7_200)),
        sync('syn_3', 'google', 'failed', ago(10)),
        sync('syn_4', 'facebook', 'running', undefined),
        // Nothing says when it ended.
        sync('syn_5', 'yelp', 'succeeded', undefined),
      ])
        await syncs.insert(part(row))
      const text = metricsText(await createWorkMetrics({ documents, now, folder: tmpdir() }).read())
      const samples = text.split('\n').filter((line) => /^renown_(jobs|sync)/.test(line))
      expect(samples.sort()).toEqual([
        'renown_jobs_failed{queue="post.publish"} 1',
        'renown_jobs_late_seconds{queue="mail.send"} 120',
        'renown_jobs{queue="mail.send",state="queued"} 3',
        'renown_jobs{queue="mail.send",state="running"} 1',
        'renown_sync_newest_seconds{kind="reviews",source="google"} 30',
        'renown_sync_oldest_seconds{kind="reviews",source="google"} 7200',
        'renown_syncs{kind="reviews",source="facebook",status="running"} 1',
        'renown_syncs{kind="reviews",source="google",status="failed"} 1',
        'renown_syncs{kind="reviews",source="google",status="succeeded"} 2',
        'renown_syncs{kind="reviews",source="yelp",status="succeeded"} 1',
      ])
      expect(text).toMatch(/^renown_info\{version="1\.\d+\.\d+",bun="\d/m)
      expect(text).toMatch(/^renown_data_disk_free_bytes [1-9]/m)
      expect(text).not.toContain('example.com')
    } finally {
      await documents.close()
    }
  })
})

test('a disk that cannot be read is left out, and the rest is told', async () => {
  const documents = part<Documents>({ collection: () => part({ group: async () => [] }) })
  const told = await createWorkMetrics({ documents, now, folder: '/nowhere/at/all' }).read()
  expect(told.map(({ name }) => name)).toContain('renown_jobs')
  expect(told.map(({ name }) => name)).not.toContain('renown_data_disk_bytes')
})

test('work is counted once for several monitors, and again after a store was away', async () => {
  let clock = at
  let reads = 0
  let isAway = true
  const group = async () => {
    reads++
    if (isAway) throw new UnavailableError('away')
    return []
  }
  const documents = part<Documents>({ collection: () => part({ group }) })
  const metrics = createWorkMetrics({ documents, now: () => new Date(clock), folder: null })
  expect((await metrics.read()).map(({ name }) => name)).toEqual(['renown_info'])
  isAway = false
  reads = 0
  await Promise.all([metrics.read(), metrics.read()])
  expect(reads).toBe(4)
  clock += 14_999
  await metrics.read()
  expect(reads).toBe(4)
  clock += 1
  expect((await metrics.read()).map(({ name }) => name)).toContain('renown_jobs')
  expect(reads).toBe(8)
})
