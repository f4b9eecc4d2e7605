import {
  dayIn,
  hourMs,
  type JobDeclaration,
  type OwnerContext,
  type Row,
  type RowChanges,
  shiftDay,
  where,
} from 'renown'
import { englishText } from 'renown/pages'
import { brandedBy } from '../detection/branded'
import type { Cell } from '../measure/cells'
import { watchChange } from '../measure/watch'
import { visibilityChanged } from '../records/events'
import { Workspace } from '../records/foreign'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { VisibilityWatch } from '../records/VisibilityWatch'
import { cellsOf } from '../sums/cells'
import { type AnswerDays, inSeries, readAnswerDays, runsIn } from './answer-days'
import { closingDay, type Days, isRenewed } from './baseline'
import { noticeWords } from './notice-words'

type Tracker = Row<typeof VisibilityTracker>
type Watched = Row<typeof VisibilityWatch>

/** A baseline begins at most this many days before the tracker is first watched. */
const lookBackDays = 60

/**
 * Notifies people when the mention rate of a tracker changed: once for each change. Looks at each tracker once a day,
 * after the day is over. The chance of a false alarm is bounded over all looks together.
 */
export const watchTrackers: JobDeclaration = {
  summary: 'Notifies people when AI assistants name a brand more or less often than before',
  everyMs: hourMs,
  async run(ctx, signal) {
    const workspaces = new Map<string, Promise<Row<typeof Workspace> | null>>()
    const workspaceOf = (id: string) => {
      const known = workspaces.get(id) ?? ctx.rows(Workspace).get(id)
      workspaces.set(id, known)
      return known
    }
    const active = where.eq('is_active', true)
    for await (const tracker of ctx.rows(VisibilityTracker).each({ where: active, signal })) {
      const workspace = await workspaceOf(tracker.workspace_id)
      if (workspace?.is_demo !== true) await watchTracker(ctx, tracker, workspace?.timezone ?? 'UTC')
    }
  },
}

async function watchTracker(ctx: OwnerContext, tracker: Tracker, timezone: string): Promise<void> {
  const until = shiftDay(dayIn(timezone, ctx.now()), -1)
  let watched = await watchOf(ctx, tracker)
  if (watched?.change) watched = await report(ctx, tracker, watched)
  if (watched?.looked_until !== undefined && watched.looked_until >= until) return
  const names = namesOf(tracker)
  if (watched && watched.names !== names) watched = await begin(ctx, watched, until, names)
  else watched ??= await firstWatch(ctx, tracker, { from: shiftDay(until, -lookBackDays), until }, timezone)
  const looked = await look(ctx, tracker, watched, until, timezone)
  const next = await ctx.rows(VisibilityWatch).update(watched.id, { ...looked, looked_until: until })
  if (next?.change) await report(ctx, tracker, next)
}

async function watchOf(ctx: OwnerContext, { id, workspace_id }: Tracker): Promise<Watched | null> {
  const own = where.and(where.eq('workspace_id', workspace_id), where.eq('tracker_id', id))
  const [watched] = await ctx.rows(VisibilityWatch).list({ where: own, limit: 1 })
  return watched ?? null
}

/** All names that decide whether an answer names the brand. */
const namesOf = ({ brand_name, brand_aliases, competitors }: Tracker) =>
  JSON.stringify([brand_name, brand_aliases, competitors.map(({ name }) => name)])

async function firstWatch(ctx: OwnerContext, tracker: Tracker, days: Days, timezone: string) {
  const { answered } = await readAnswerDays(ctx, tracker, days, timezone)
  return ctx.rows(VisibilityWatch).insert({
    workspace_id: tracker.workspace_id,
    tracker_id: tracker.id,
    location_id: tracker.location_id,
    names: namesOf(tracker),
    baseline_from: answered[0] ?? days.until,
  })
}

/** Begins a baseline after a day. Earlier answers were judged by other names. */
const begin = async (ctx: OwnerContext, { id }: Watched, until: string, names: string): Promise<Watched> =>
  (await ctx.rows(VisibilityWatch).update(id, {
    names,
    baseline_from: shiftDay(until, 1),
    baseline_until: undefined,
    change: undefined,
  })) as Watched

/** Compares the answers since the baseline with it. Returns what changes in the stored watch. */
async function look(
  ctx: OwnerContext,
  tracker: Tracker,
  watched: Watched,
  until: string,
  timezone: string,
): Promise<RowChanges<typeof VisibilityWatch>> {
  const { baseline_from } = watched
  if (until < baseline_from) return {}
  const known = await readAnswerDays(ctx, tracker, { from: baseline_from, until }, timezone)
  const baseline_until = watched.baseline_until ?? closingDay(baseline_from, known.answered, until)
  if (baseline_until === null) return {}
  const since: Days = { from: shiftDay(baseline_until, 1), until }
  const closed = { baseline_until }
  if (since.from > until || known.series.length === 0) return closed
  const read = await cellsReader(ctx, tracker, known, timezone)
  const [now, before] = await Promise.all([read(since), read({ from: baseline_from, until: baseline_until })])
  const found = watchChange(now, before)
  const { verdict, margin, common } = found
  if (verdict === 'up' || verdict === 'down') {
    const rates = { before: found.before ?? 0, now: found.now ?? 0, margin: margin ?? 0 }
    return { ...closed, change: { verdict, ...rates, common, baseline_from, baseline_until, until } }
  }
  if (!isRenewed(since, known.answered, verdict === 'unchanged')) return closed
  return { baseline_from: since.from, baseline_until: until }
}

/** Returns a function that reads the cells of a period: answers to active prompts that do not name the brand. */
async function cellsReader(ctx: OwnerContext, tracker: Tracker, known: AnswerDays, timezone: string) {
  const { id, workspace_id } = tracker
  const isBranded = brandedBy(tracker)
  const open = new Set<string>()
  const own = where.and(where.eq('workspace_id', workspace_id), where.eq('tracker_id', id))
  for await (const prompt of ctx.rows(VisibilityPrompt).each({ where: own }))
    if (!isBranded(prompt.text)) open.add(prompt.id)
  const series = inSeries(known, timezone)
  return (days: Days): Promise<Cell[]> =>
    cellsOf(ctx, where.and(runsIn(tracker, days, timezone), series), (prompt) => open.has(prompt))
}

/**
 * Notifies people of a stored change, then begins the next baseline. After a kill in between, the notification is sent
 * again under the same name, which is refused.
 */
async function report(ctx: OwnerContext, tracker: Tracker, watched: Watched): Promise<Watched> {
  const { change } = watched
  if (!change) return watched
  const { title, body } = noticeWords(tracker, change)
  await ctx.notify({
    workspace_id: tracker.workspace_id,
    location_id: tracker.location_id,
    type: 'visibility_change',
    severity: change.verdict === 'down' ? 'warning' : 'info',
    title: englishText(title),
    body: body.map((sentence) => englishText(sentence)).join(' '),
    entity: 'VisibilityTracker',
    entity_id: tracker.id,
    once: `visibility_change ${tracker.id} ${change.baseline_from} ${change.until}`,
  })
  const { verdict, before, now, baseline_from, baseline_until, until } = change
  if (verdict === 'up' || verdict === 'down')
    await ctx.publish(visibilityChanged, {
      workspace_id: tracker.workspace_id,
      location_id: tracker.location_id,
      entity: 'VisibilityTracker',
      entity_id: tracker.id,
      key: `${tracker.id} ${baseline_from} ${until}`,
      data: { tracker_id: tracker.id, verdict, before, now, baseline_from, baseline_until, until },
    })
  return (await ctx.rows(VisibilityWatch).update(watched.id, {
    baseline_from: shiftDay(change.until, 1),
    baseline_until: undefined,
    change: undefined,
    last_change: change,
  })) as Watched
}
