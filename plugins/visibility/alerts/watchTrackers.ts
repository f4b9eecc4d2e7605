import {
  dayIn,
  hourMs,
  type JobDeclaration,
  type OwnerContext,
  type Row,
  type RowChanges,
  shiftDay,
  type Where,
  where,
} from 'renown'
import { englishText } from 'renown/pages'
import { watchRounds } from 'renown/statistics'
import { brandedBy } from '../detection/branded'
import { visibilityChanged } from '../records/events'
import { Workspace } from '../records/foreign'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { VisibilityWatch } from '../records/VisibilityWatch'
import { cellFields } from '../sums/cells'
import { joinRounds, roundFields, type TrackedRound } from '../sums/rounds'
import { answered } from '../sums/scope'
import { inSeries, readAnswerDays, runsIn } from './answer-days'
import { type Days, nextSeries, type PromptDays, watchedPrompts } from './baseline'
import { noticeWords } from './notice-words'

type Tracker = Row<typeof VisibilityTracker>
type Watched = Row<typeof VisibilityWatch>

/** A series begins at most this many days before the tracker is first watched. */
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

/** Begins a series after a day. Earlier answers were judged by other names. */
const begin = async (ctx: OwnerContext, { id }: Watched, until: string, names: string): Promise<Watched> =>
  (await ctx.rows(VisibilityWatch).update(id, {
    names,
    baseline_from: shiftDay(until, 1),
    change: undefined,
  })) as Watched

/** Looks for a change among all rounds of the series. Returns what changes in the stored watch. */
async function look(
  ctx: OwnerContext,
  tracker: Tracker,
  watched: Watched,
  until: string,
  timezone: string,
): Promise<RowChanges<typeof VisibilityWatch>> {
  const { baseline_from } = watched
  if (until < baseline_from) return {}
  const days: Days = { from: baseline_from, until }
  const known = await readAnswerDays(ctx, tracker, days, timezone)
  if (known.series.length === 0) return {}
  const matching = where.and(answered, runsIn(tracker, days, timezone), inSeries(known, timezone))
  const prompts = await promptsIn(ctx, tracker, matching, timezone)
  const next = nextSeries(days, known.answered, prompts)
  if (next !== null) return { baseline_from: next }
  const asked = [...watchedPrompts(known.answered, prompts)]
  const rounds = await roundsOf(ctx, where.and(matching, where.in('prompt_id', asked)), timezone)
  const { verdict, since, ...found } = watchRounds(rounds)
  if ((verdict !== 'up' && verdict !== 'down') || since === null) return {}
  const rates = { before: found.before ?? 0, now: found.now ?? 0, margin: found.margin ?? 0 }
  const common = await countCells(ctx, where.and(matching, where.in('prompt_id', asked)))
  return {
    change: { verdict, ...rates, common, baseline_from, baseline_until: shiftDay(since, -1), until },
  }
}

/** Returns the prompts that do not name the brand, with the days of their first and last answer. */
async function promptsIn(
  ctx: OwnerContext,
  tracker: Tracker,
  matching: Where,
  timezone: string,
): Promise<PromptDays[]> {
  const { id, workspace_id } = tracker
  const isBranded = brandedBy(tracker)
  const open = new Set<string>()
  const own = where.and(where.eq('workspace_id', workspace_id), where.eq('tracker_id', id))
  for await (const prompt of ctx.rows(VisibilityPrompt).each({ where: own }))
    if (!isBranded(prompt.text)) open.add(prompt.id)
  const groups = await ctx.rows(VisibilityRun).group({
    where: matching,
    by: ['prompt_id'],
    measures: [
      { as: 'first', fn: 'min', field: 'started_at' },
      { as: 'last', fn: 'max', field: 'started_at' },
    ],
  })
  const dayOf = (at: unknown) => dayIn(timezone, new Date(String(at)))
  return groups
    .map(({ prompt_id, first, last }) => ({ id: String(prompt_id), first: dayOf(first), last: dayOf(last) }))
    .filter((prompt) => open.has(prompt.id))
}

/** Reads the rounds: the answers of each assistant on each day. */
async function roundsOf(ctx: OwnerContext, matching: Where, timezone: string): Promise<TrackedRound[]> {
  const groups = await ctx.rows(VisibilityRun).group({
    where: matching,
    by: [...roundFields, 'brand_mentioned', { field: 'started_at', unit: 'day', timezone }],
    measures: [{ as: 'n', fn: 'count' }],
  })
  return joinRounds(groups)
}

async function countCells(ctx: OwnerContext, matching: Where): Promise<number> {
  const cells = await ctx.rows(VisibilityRun).group({
    where: matching,
    by: [...cellFields],
    measures: [{ as: 'n', fn: 'count' }],
  })
  return Math.max(1, cells.length)
}

/**
 * Notifies people of a stored change, then begins a series with the first day of the new rate. After a kill in between, the notification is sent
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
    baseline_from: shiftDay(change.baseline_until, 1),
    change: undefined,
    last_change: change,
  })) as Watched
}
