import {
  dayIn,
  instantsOf,
  type JobDeclaration,
  minuteMs,
  type OwnerContext,
  type Row,
  type Where,
  where,
} from 'renown'
import { Workspace } from '../records/foreign'
import { VisibilityRun } from '../records/VisibilityRun'
import { sumTable, sumVersion } from '../records/VisibilitySum'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { createDaySums, summedFields } from '../sums/day-sums'
import { monthOf } from '../sums/run-span'
import { type Sealing, writeDay, writeMonth } from './sealed-rows'

type Tracker = Row<typeof VisibilityTracker>
type Sealed = NonNullable<Tracker['sealed']>

/** Runs that changed within this time wait, so that none changes while its day is summed. */
const settleMs = minuteMs
/** Today is summed when no run was added or changed for this long, such as after a round. */
const quietMs = 15 * minuteMs
const daysMax = 10_000

/**
 * Sums days to columns that are over, and today after a round: writes the rows of the day, then those of its month, and marks the runs at
 * last. After a kill in between, the day is summed again and its rows replace the first ones. Until then it is read
 * from documents. So no run is lost or counted twice.
 */
export const sealAnswers: JobDeclaration = {
  summary: 'Sums the AI answers of each day, for figures over many answers',
  everyMs: 5 * minuteMs,
  async run(ctx, signal) {
    await removeOrphans(ctx)
    const revisions = await storedRevisions(ctx)
    const timezones = new Map<string, string>()
    for await (const tracker of ctx.rows(VisibilityTracker).each({ signal })) {
      const { workspace_id } = tracker
      const timezone =
        timezones.get(workspace_id) ?? (await ctx.rows(Workspace).get(workspace_id))?.timezone ?? 'UTC'
      timezones.set(workspace_id, timezone)
      await sealTracker(ctx, tracker, { timezone, stored: revisions.get(tracker.id) ?? 0, signal })
    }
  },
}

/** Returns the highest version of the rows of each tracker. */
async function storedRevisions({ columns }: OwnerContext): Promise<Map<string, number>> {
  const rows = await columns.query<{ tracker_id: string; highest: number }>(
    `SELECT tracker_id, max(rev) AS highest FROM ${sumTable.name} WHERE kind = 'engine' GROUP BY tracker_id`,
  )
  return new Map(rows.map(({ tracker_id, highest }) => [tracker_id, Number(highest)]))
}

/** Removes the rows of trackers that were deleted, wherever that happened. */
async function removeOrphans(ctx: OwnerContext): Promise<void> {
  const stored = await ctx.columns.query<{ tracker_id: string }>(
    `SELECT DISTINCT tracker_id FROM ${sumTable.name}`,
  )
  const gone: string[] = []
  // By id, because a query for many leaves out the rows of inactive workspaces.
  for (const { tracker_id } of stored)
    if (!(await ctx.rows(VisibilityTracker).get(tracker_id))) gone.push(tracker_id)
  await ctx.columns.remove(sumTable.name, 'tracker_id', gone)
}

interface Pass {
  readonly timezone: string
  readonly stored: number
  readonly signal: AbortSignal
}

async function sealTracker(ctx: OwnerContext, tracker: Tracker, pass: Pass): Promise<void> {
  const today = dayIn(pass.timezone, ctx.now())
  const start = await startOf(ctx, tracker, pass, today)
  let { sealed } = start
  const waiting = await waitingDays(ctx, tracker, pass.timezone, today)
  const days = [...new Set([...waiting, ...start.days])].sort()
  for (const ofMonth of Map.groupBy(days, monthOf).values()) {
    if (pass.signal.aborted) return
    const now = ctx.now()
    const sealing = { tracker, now: now.toISOString(), rev: Math.max(now.getTime(), sealed.rev + 1) }
    for (const day of ofMonth) await sumDay(ctx, sealing, day, pass.timezone)
    for (const month of new Set(ofMonth.map(monthOf))) await writeMonth(ctx, sealing, month)
    sealed = { ...sealed, rev: sealing.rev }
    await ctx.rows(VisibilityTracker).update(tracker.id, { sealed })
    let marked = 0
    for (const day of ofMonth) marked += await mark(ctx, sealing, day, pass.timezone)
    sealed = { ...sealed, runs: sealed.runs + marked }
    await ctx.rows(VisibilityTracker).update(tracker.id, { sealed })
  }
}

interface Start {
  readonly sealed: Sealed
  /** Days to sum again, besides those with runs that wait. */
  readonly days: readonly string[]
}

/** Returns what is sealed. Begins again where the time zone or the version changed, or rows were lost. */
async function startOf(ctx: OwnerContext, tracker: Tracker, pass: Pass, today: string): Promise<Start> {
  const version = sumVersion(pass.timezone)
  const { sealed } = tracker
  if (!sealed || sealed.version !== version || pass.stored < sealed.rev)
    return { sealed: await begin(ctx, tracker, version, today), days: [] }
  if (sealed.checked === today && sealed.rev === pass.stored) return { sealed, days: [] }
  return check(ctx, tracker, sealed, { ...pass, today })
}

const own = ({ id, workspace_id }: Pick<Tracker, 'id' | 'workspace_id'>): Where[] => [
  where.eq('workspace_id', workspace_id),
  where.eq('tracker_id', id),
]

async function begin(ctx: OwnerContext, tracker: Tracker, version: string, today: string): Promise<Sealed> {
  const runs = ctx.rows(VisibilityRun)
  await runs.updateMany(where.and(...own(tracker), where.eq('is_sealed', true)), { is_sealed: undefined })
  await ctx.columns.remove(sumTable.name, 'tracker_id', [tracker.id])
  const sealed = { version, rev: 0, runs: 0, checked: today }
  await ctx.rows(VisibilityTracker).update(tracker.id, { sealed })
  return sealed
}

/**
 * Compares the sums of each day with its runs: once a day, after a kill, and after a restore of one of the stores. Days
 * that differ, or whose rows are newer than the tracker says, are read from documents until they are summed again.
 */
async function check(
  ctx: OwnerContext,
  tracker: Tracker,
  sealed: Sealed,
  { timezone, today, stored: rev }: Pass & { readonly today: string },
): Promise<Start> {
  const { id, workspace_id } = tracker
  const runs = ctx.rows(VisibilityRun)
  const [marked, summed] = await Promise.all([
    runs.group({
      where: where.and(...own(tracker), where.eq('is_sealed', true)),
      by: [{ field: 'started_at', unit: 'day', timezone }],
      measures: [{ as: 'n', fn: 'count' }],
    }),
    ctx.columns.query<{ day: string; n: number; highest: number }>(
      `SELECT toString(start) AS day, sum(runs) AS n, max(rev) AS highest FROM ${sumTable.name} FINAL
       WHERE workspace_id = {workspace_id:String} AND tracker_id = {id:String} AND kind = 'engine' GROUP BY day`,
      { workspace_id, id },
    ),
  ])
  const expected = new Map(marked.map(({ started_at, n }) => [String(started_at), Number(n)]))
  const stored = new Map(summed.map((row) => [row.day, row]))
  const days = [...new Set([...expected.keys(), ...stored.keys()])].filter((day) => {
    const row = stored.get(day)
    return Number(row?.n ?? 0) !== (expected.get(day) ?? 0) || Number(row?.highest ?? 0) > sealed.rev
  })
  for (const day of days) {
    ctx.log.info('the AI answers of a day are summed again', { tracker: id, day })
    await runs.updateMany(where.and(...own(tracker), inDay(day, timezone), where.eq('is_sealed', true)), {
      is_sealed: undefined,
    })
  }
  const again = days.reduce((sum, day) => sum + (expected.get(day) ?? 0), 0)
  const all = [...expected.values()].reduce((sum, n) => sum + n, 0)
  return { sealed: { ...sealed, rev: Math.max(sealed.rev, rev), runs: all - again, checked: today }, days }
}

const inDay = (day: string, timezone: string): Where => {
  const { from, before } = instantsOf({ date_from: day, date_to: day }, timezone)
  return where.and(where.gte('started_at', from), where.lt('started_at', before))
}

/** Returns the days that have a run that no sum contains, in order. Today only if its runs are older than some minutes. */
async function waitingDays(ctx: OwnerContext, tracker: Tracker, timezone: string, today: string) {
  const groups = await ctx.rows(VisibilityRun).group({
    where: where.and(...own(tracker), where.eq('is_sealed', null)),
    by: [{ field: 'started_at', unit: 'day', timezone }],
    measures: [{ as: 'newest', fn: 'max', field: 'updated_date' }],
    limit: daysMax,
  })
  const quietSince = new Date(ctx.now().getTime() - quietMs).toISOString()
  return groups
    .filter(({ started_at, newest }) => {
      const day = String(started_at)
      return day < today || (day === today && String(newest) < quietSince)
    })
    .map(({ started_at }) => String(started_at))
    .sort()
}

async function sumDay(ctx: OwnerContext, sealing: Sealing, day: string, timezone: string): Promise<void> {
  const sums = createDaySums()
  const matching = where.and(...own(sealing.tracker), inDay(day, timezone))
  const query = { where: matching, size: 500, fields: summedFields }
  for await (const run of ctx.rows(VisibilityRun).each(query)) sums.add(run)
  await writeDay(ctx, sealing, day, sums.rows)
}

/** Marks the runs of a day, except those that changed since the day was summed. */
const mark = (ctx: OwnerContext, { tracker, now }: Sealing, day: string, timezone: string): Promise<number> =>
  ctx
    .rows(VisibilityRun)
    .updateMany(
      where.and(
        ...own(tracker),
        inDay(day, timezone),
        where.eq('is_sealed', null),
        where.lt('updated_date', new Date(Date.parse(now) - settleMs).toISOString()),
      ),
      { is_sealed: true },
    )
