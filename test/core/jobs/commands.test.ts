import { afterEach, beforeEach, expect, test } from 'bun:test'
import * as v from 'valibot'
import { Job } from '../../../core/jobs/Job'
import { definePlugin } from '../../../core/kit'
import { jobs } from '../../support/platforms'
import { type Workbench, workbench } from '../../support/workbench'

const counting = definePlugin({
  name: 'counting',
  renown: '^1.0.0',
  queues: {
    count: { summary: 'Counts', payload: v.strictObject({ secret: v.string() }), run: async () => {} },
  },
})

let bench: Workbench
beforeEach(async () => {
  bench = await workbench([jobs, counting])
})
afterEach(() => bench.stop())

const put = () =>
  bench.owner.enqueue('count', { workspace_id: 'wsp_1', payload: { secret: 'hidden' }, key: 'a' })
const list = async (input: Record<string, unknown> = {}) =>
  (await bench.command('job list', input)).jobs as unknown as Record<string, unknown>[]
const fail = (id: string) =>
  bench.owner.rows(Job).update(id, {
    state: 'failed',
    is_active: false,
    attempt: 8,
    error: { kind: 'auth', message: 'revoked' },
    finished_at: bench.now.toISOString(),
  })

test('the list shows what there is, and not what it was told', async () => {
  const { job_id } = await put()
  const [row] = await list()
  expect(row).toMatchObject({ job_id, queue: 'count', state: 'queued', attempt: 0 })
  expect(JSON.stringify(row)).not.toContain('hidden')
  expect(await list({ state: 'failed' })).toEqual([])
  await fail(job_id)
  expect(await list({ state: 'failed', queue: 'count' })).toMatchObject([{ error: 'auth: revoked' }])
})

test('a job that was given up goes again with all its tries, and another cannot', async () => {
  const { job_id } = await put()
  await expect(bench.command('job retry', { job_id })).rejects.toThrow('The job is queued')
  await fail(job_id)
  expect(await bench.command('job retry', { job_id })).toMatchObject({ state: 'queued', attempt: 0 })
  expect(await bench.owner.rows(Job).get(job_id)).not.toHaveProperty('finished_at')
  await expect(bench.command('job retry', { job_id: 'job_none' })).rejects.toThrow('There is no job job_none')
})

test('a job that was given up does not go again beside another of its key', async () => {
  const { job_id } = await put()
  await fail(job_id)
  const { job_id: other } = await put()
  await expect(bench.command('job retry', { job_id })).rejects.toThrow(
    `The same work is already queued as ${other}`,
  )
})

test('a job that waits is taken out, once', async () => {
  const { job_id } = await put()
  expect(await bench.command('job cancel', { job_id })).toMatchObject({ state: 'cancelled' })
  await expect(bench.command('job cancel', { job_id })).rejects.toThrow('The job is cancelled')
  expect((await put()).deduplicated).toBe(false)
})
