import * as v from 'valibot'
import {
  dayMs,
  defineCommand,
  defineOperatorCommand,
  field,
  isConflict,
  type OwnerContext,
  Refusal,
  requireRow,
  where,
} from '../kit'
import { Job, jobStates } from './Job'
import type { JobRow } from './queue'

const shownMax = 500
const newestFirst = [{ field: 'created_date', direction: 'desc' }] as const
const jobId = v.pipe(v.string(), v.description('The job id that the list shows'))

/** Lists queued, running and ended jobs. Never shows their payloads, which may contain personal data. */
export const jobsList = defineCommand({
  name: 'job list',
  summary: 'List jobs that wait, run or have ended, newest first',
  input: v.strictObject({
    state: v.optional(field.oneOf(jobStates, 'Only jobs in this state')),
    queue: v.optional(field.text('Only those of this queue')),
    limit: v.optional(field.integer('How many at most', { min: 1, max: shownMax }), 50),
  }),
  async run(ctx, { state, queue, limit }) {
    const wanted = where.and(
      ...(state === undefined ? [] : [where.eq('state', state)]),
      ...(queue === undefined ? [] : [where.eq('queue', queue)]),
    )
    const rows = await ctx.rows(Job).list({ where: wanted, sort: newestFirst, limit })
    return { jobs: rows.map(shown) }
  },
})

/** Retries a dead letter, with all its attempts again. */
export const jobsRetry = defineOperatorCommand({
  name: 'job retry',
  summary: 'Put a failed or cancelled job back into its queue',
  input: v.strictObject({ job_id: jobId }),
  positional: ['job_id'],
  async run(ctx, { job_id }) {
    const job = await find(ctx, job_id)
    const ended = where.and(where.eq('id', job_id), where.in('state', ['failed', 'cancelled']))
    const fresh = {
      state: 'queued',
      is_active: true,
      due_at: ctx.now().toISOString(),
      attempt: 0,
      waits: 0,
    } as const
    const cleared = { finished_at: undefined, expire_at: undefined, first_started_at: undefined }
    const put = await ctx
      .rows(Job)
      .updateWhere(ended, { ...fresh, ...cleared, fence: job.fence + 1 })
      .catch((error) => refuseTwin(ctx, job, error))
    if (!put)
      throw new Refusal('conflict', `The job is ${job.state}. Only a failed or cancelled job can be retried.`)
    return shown(put)
  },
})

/** Stops a running job at its next heartbeat. */
export const jobsCancel = defineOperatorCommand({
  name: 'job cancel',
  summary: 'Cancel a waiting or running job',
  input: v.strictObject({ job_id: jobId }),
  positional: ['job_id'],
  async run(ctx, { job_id }) {
    const job = await find(ctx, job_id)
    const unchanged = where.and(
      where.eq('id', job_id),
      where.eq('is_active', true),
      where.eq('fence', job.fence),
    )
    const now = ctx.now()
    const ended = {
      state: 'cancelled',
      is_active: false,
      fence: job.fence + 1,
      finished_at: now.toISOString(),
      expire_at: new Date(now.getTime() + 7 * dayMs).toISOString(),
    } as const
    const cancelled = job.is_active ? await ctx.rows(Job).updateWhere(unchanged, ended) : null
    if (!cancelled) throw new Refusal('conflict', `The job is ${job.state}. It cannot be cancelled.`)
    return shown(cancelled)
  },
})

/** Throws if the queue already has a waiting or running job with the same key. */
async function refuseTwin(ctx: OwnerContext, job: JobRow, error: unknown): Promise<never> {
  if (!isConflict(error)) throw error
  const { queue, key, workspace_id } = job
  const same = Object.entries({ queue, key, workspace_id }).map(([name, value]) => where.eq(name, value))
  const [twin] = await ctx
    .rows(Job)
    .list({ where: where.and(where.eq('is_active', true), ...same), limit: 1 })
  throw new Refusal(
    'conflict',
    `The same work is already ${twin?.state ?? 'queued'}${twin ? ` as ${twin.id}` : ''}. Wait until that job has ended.`,
  )
}

const find = (ctx: OwnerContext, id: string): Promise<JobRow> =>
  requireRow(ctx.rows(Job), 'job', id, '`renown job list` lists them.')

function shown({ id, queue, state, attempt, due_at, progress, error, finished_at }: JobRow) {
  const total = progress?.total === undefined ? '' : ` of ${progress.total}`
  return {
    job_id: id,
    queue,
    state,
    attempt,
    due_at: finished_at ?? due_at,
    ...(progress ? { progress: `${progress.done}${total}${progress.note ? ` ${progress.note}` : ''}` } : {}),
    ...(error ? { error: `${error.kind}: ${error.message}` } : {}),
  }
}
