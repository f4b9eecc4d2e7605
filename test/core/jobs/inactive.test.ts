import { afterEach, beforeEach, expect, test } from 'bun:test'
import * as v from 'valibot'
import type { OwnerContext } from '../../../core/contracts/plugin'
import type { AnyQueue, Task } from '../../../core/contracts/queue'
import { createEnqueue } from '../../../core/jobs/enqueue'
import { Job } from '../../../core/jobs/Job'
import { claim, createOwnTime, queueTimes } from '../../../core/jobs/queue'
import { startWorker, type Worker } from '../../../core/jobs/worker'
import { Agency, Workspace } from '../../../core/product/tenancy-plugin'
import { openMongo } from '../../../core/stores/documents/mongo'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite/index'
import { createWorkedOn } from '../../../core/tenancy/worked-on'
import { describeStores, mongoUri } from '../../support/mongo'
import { quietLog } from '../../support/quiet-log'
import { shippedRegistry } from '../../support/shipped'
import { waitFor } from '../../support/wait-for'

const clock = { now: () => new Date() }
const everything = { op: 'and', of: [] } as const
const stores = {
  SQLite: () => openSqlite({ path: ':memory:', now: clock.now, log: quietLog }),
  MongoDB: () => openMongo({ uri: mongoUri() ?? '', now: clock.now, log: quietLog }),
}

describeStores<() => Promise<Documents>>(stores, 'Jobs of an inactive workspace on %s', (_, open) => {
  let documents: Documents
  let worker: Worker | undefined
  beforeEach(async () => {
    documents = await open()
    await documents.ensure([Job, Workspace, Agency])
    for (const entity of [Job, Workspace, Agency]) await documents.collection(entity).remove(everything)
    const stamps = { created_date: '2026-01-01T00:00:00.000Z', updated_date: '2026-01-01T00:00:00.000Z' }
    await documents.collection(Agency).insert({
      id: 'agc_1',
      workspace_id: 'agc_1',
      ...stamps,
      name: 'A',
      is_platform: false,
      is_active: true,
    })
    for (const id of ['wsp_off', 'wsp_on'])
      await documents.collection(Workspace).insert({
        id,
        workspace_id: id,
        ...stamps,
        name: id,
        agency_id: 'agc_1',
        is_home: id === 'wsp_on',
        timezone: 'UTC',
        locale: 'en',
        plan: 'p',
        locations_count: 0,
        active_locations_count: 0,
        is_active: true,
      })
  })
  afterEach(async () => {
    await worker?.stop()
    await documents.close()
  })

  const set = async (id: string, is_active: boolean) => {
    const entity = id.startsWith('agc') ? Agency : Workspace
    await documents.collection(entity).updateOne({ op: 'eq', field: 'id', value: id }, { set: { is_active } })
  }
  function begin(queues: ReadonlyMap<string, AnyQueue>) {
    const { isWorkedOn } = createWorkedOn(documents)
    const times = { leaseMs: 5_000, beatMs: 20, inactiveMs: 30 }
    const deps = { queues, documents, owner: {} as OwnerContext, clock, log: quietLog, random: () => 0 }
    worker = startWorker({ ...deps, times, pollEveryMs: 10, isWorkedOn })
    return createEnqueue({ registry: { queues }, documents, clock, onEnqueued: worker.wake })
  }
  const fences = async () =>
    (await documents.collection(Job).find({ where: everything, limit: 100 })).map((row) => Number(row.fence))

  for (const closed of ['wsp_off', 'agc_1'])
    test(`of every queue wait, cost no attempt and run when ${closed} is active again`, async () => {
      const ran: string[] = []
      const shipped = [...shippedRegistry().queues.keys()]
      expect(shipped.length).toBeGreaterThan(4)
      const recording = (name: string): AnyQueue => ({
        summary: 'for the test',
        payload: v.strictObject({}),
        run: async (_, __, { workspace_id, attempt }: Task) =>
          void ran.push(`${name} ${workspace_id} ${attempt}`),
      })
      await set(closed, false)
      const put = begin(new Map(shipped.map((name) => [name, recording(name)])))
      for (const name of shipped) await put(name, { workspace_id: 'wsp_off', payload: {} })
      // Each was looked at and put off at least twice.
      await waitFor(async () => (await fences()).every((fence) => fence >= 2), {
        what: 'two looks',
        everyMs: 10,
      })
      expect(ran).toEqual([])
      await set(closed, true)
      await waitFor(() => ran.length === shipped.length, { what: 'all jobs to run', everyMs: 10 })
      expect(ran.sort()).toEqual(shipped.map((name) => `${name} wsp_off 1`).sort())
    })

  test('hold up no job of another workspace', async () => {
    const ran: string[] = []
    const queue: AnyQueue = {
      summary: 'for the test',
      payload: v.strictObject({}),
      run: async (_, __, { workspace_id }: Task) => void ran.push(workspace_id),
    }
    await set('wsp_off', false)
    const put = begin(new Map([['count', queue]]))
    for (let n = 0; n < 45; n++) await put('count', { workspace_id: 'wsp_off', payload: {} })
    await put('count', { workspace_id: 'wsp_on', payload: {} })
    await waitFor(() => ran.length > 0, { what: 'the other job', everyMs: 10 })
    expect(ran).toEqual(['wsp_on'])
  })

  test('are put off without those of another workspace, which are due as before', async () => {
    const queue: AnyQueue = { summary: 'for the test', payload: v.strictObject({}), run: async () => {} }
    await set('wsp_off', false)
    const queues = new Map([['count', queue]])
    const put = createEnqueue({ registry: { queues }, documents, clock })
    const begun = clock.now().getTime()
    for (const [place, workspace_id] of ['wsp_off', 'wsp_off', 'wsp_on'].entries())
      await put('count', { workspace_id, payload: {}, runAt: new Date(begun - 1_000 + place) })
    const { isWorkedOn } = createWorkedOn(documents)
    const times = { ...queueTimes, inactiveMs: 3_600_000 }
    const deps = { documents, clock, holder: 'run_1', times, random: () => 0, isWorkedOn }
    const look = { queues: ['count'], without: [] }
    const { held } = await claim(deps, look, createOwnTime(clock))
    expect(held?.row.workspace_id).toBe('wsp_on')
    const left = await documents.collection(Job).find({ where: everything, limit: 10 })
    const waits = left.flatMap(({ workspace_id, due_at }) =>
      workspace_id === 'wsp_off' ? [Date.parse(due_at) - clock.now().getTime() > 3_000_000] : [],
    )
    expect(waits).toEqual([true, true])
  })

  test('stop before what cannot be undone when it becomes inactive, and go on as the same attempt', async () => {
    const attempts: number[] = []
    let sent = 0
    const queue: AnyQueue = {
      summary: 'for the test',
      payload: v.strictObject({}),
      run: async (_, __, task: Task) => {
        attempts.push(task.attempt)
        if (attempts.length === 1) await set('wsp_off', false)
        await task.hold()
        sent++
      },
    }
    const put = begin(new Map([['send', queue]]))
    const { job_id } = await put('send', { workspace_id: 'wsp_off', payload: {} })
    const state = async () => (await documents.collection(Job).get(job_id))?.state
    await waitFor(async () => attempts.length === 1 && (await state()) === 'queued', {
      what: 'the job to be put off',
      everyMs: 10,
    })
    expect(sent).toBe(0)
    await set('wsp_off', true)
    await waitFor(async () => (await state()) === 'done', { what: 'the job to be done', everyMs: 10 })
    expect({ attempts, sent }).toEqual({ attempts: [1, 1], sent: 1 })
  })
})
