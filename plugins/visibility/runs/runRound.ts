import { hourMs, type OwnerContext, type QueueDeclaration, type Row, shiftDay, where } from 'renown'
import * as v from 'valibot'
import { brandedBy } from '../detection/branded'
import type { EngineFault } from '../engines/ask-engine'
import { findEngine, visibilityEngine } from '../engines/engine'
import { estimate } from '../measure/estimate'
import { isPreciseEnough } from '../measure/plan'
import { Workspace } from '../records/foreign'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilitySlot } from '../records/VisibilitySlot'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { askSlot, type Pass, type SlotOutcome } from './ask-slot'
import { type Budget, openBudget } from './budget'
import { cellsSince, countDay } from './day-counts'
import { settleLost } from './lost-slots'
import { judgeOf } from './score-answer'
import { type Cell, cellsOf, isRoundDay, keyOf, localTime, minuteOf, nextDue } from './slots'

const payload = v.strictObject({
  tracker_id: v.string(),
  /** True if a person started the round: ask all questions of today that were not asked yet. */
  manual: v.optional(v.boolean(), false),
})

type Tracker = Row<typeof VisibilityTracker>
type Prompt = Row<typeof VisibilityPrompt>

/** Maximum prompts of one tracker. */
const promptsMax = 2_000
/** Maximum questions in one pass. The next pass waits in the queue like other jobs. */
const passMax = 100
/** How many questions one tracker asks one engine at the same time. */
const perEngineAtOnce = 2
/** How long to ask an engine nothing after it refused the key or reported a limit. */
const holdMs = hourMs

/** Asks the due questions of a tracker, and plans the next round. */
export const runRound: QueueDeclaration<typeof payload> = {
  summary: 'Asks AI assistants the questions of a tracker that are due',
  payload,
  atOnce: 2,
  attemptsMax: 3,
  async onDeadLetter(ctx, { tracker_id }, error) {
    const at = ctx.now()
    await ctx.rows(VisibilityTracker).update(tracker_id, {
      last_run_summary: { at: at.toISOString(), ran: 0, message: error.message.slice(0, 500) },
      due_at: new Date(at.getTime() + holdMs).toISOString(),
    })
  },
  async run(ctx, { tracker_id, manual }, task) {
    const tracker = await ctx.rows(VisibilityTracker).get(tracker_id)
    if (!tracker || !(tracker.is_active || manual)) return
    const workspace = await ctx.rows(Workspace).get(tracker.workspace_id)
    const timezone = workspace?.timezone ?? 'UTC'
    const { day, minute } = localTime(timezone, ctx.now())
    await settleLost(ctx, tracker)
    const prompts = await promptsOf(ctx, tracker.id)
    const cells = cellsOf(tracker, prompts)
    const open = await unclaimed(ctx, tracker.id, day, cells)
    const isRound = manual || isRoundDay(tracker, timezone, day)
    const due = isRound ? open.filter((cell) => manual || minuteOf(tracker.id, cell, day) <= minute) : []
    const pass: Pass = { tracker, day, task, judge: judgeOf(tracker) }
    const budget = await openBudget(ctx, tracker, { timezone, day })
    const done = await askAll(
      ctx,
      pass,
      due.slice(0, passMax),
      new Map(prompts.map((one) => [one.id, one])),
      budget,
    )
    const left = open.filter((cell) => !done.claimed.has(keyOf(cell)))
    await note(ctx, {
      tracker,
      timezone,
      day,
      manual,
      cells,
      left,
      budget,
      done,
      wasRound: due.length > 0,
      prompts,
    })
    if (manual && left.length > 0 && done.ended === null && done.claimed.size > 0) {
      await ctx.enqueue('visibility-round', {
        ...{ workspace_id: tracker.workspace_id, payload: { tracker_id, manual: true } },
        runAt: new Date(ctx.now().getTime() + 1_000),
      })
    }
  },
}

const promptsOf = (ctx: OwnerContext, tracker_id: string): Promise<Prompt[]> =>
  ctx.rows(VisibilityPrompt).list({
    where: where.and(where.eq('tracker_id', tracker_id), where.eq('status', 'active')),
    sort: [{ field: 'created_date', direction: 'asc' }],
    limit: promptsMax,
  })

async function unclaimed(ctx: OwnerContext, tracker_id: string, day: string, cells: readonly Cell[]) {
  const claimed = new Set<string>()
  const own = where.and(where.eq('tracker_id', tracker_id), where.eq('local_day', day))
  for await (const slot of ctx.rows(VisibilitySlot).each({ where: own })) claimed.add(keyOf(slot))
  return cells.filter((cell) => !claimed.has(keyOf(cell)))
}

/** The result of a pass. */
interface Done {
  readonly claimed: Set<string>
  readonly holds: NonNullable<Tracker['holds']>
  readonly samples: string[]
  /** Why the budget ended the pass, if it did. */
  ended: string | null
}

/** Asks the engines in parallel, each a few questions at a time. */
async function askAll(
  ctx: OwnerContext,
  pass: Pass,
  due: readonly Cell[],
  prompts: ReadonlyMap<string, Prompt>,
  budget: Budget,
): Promise<Done> {
  const now = ctx.now().toISOString()
  const holds = (pass.tracker.holds ?? []).filter(({ until }) => until > now)
  const done: Done = { claimed: new Set(), holds, samples: holds.map(({ reason }) => reason), ended: null }
  const lines = [...Map.groupBy(due, ({ engine }) => engine)].flatMap(([engine, cells]) => {
    const queue = cells.values()
    return Array.from({ length: perEngineAtOnce }, () =>
      askLine(ctx, pass, engine, queue, prompts, budget, done),
    )
  })
  // If one throws, the others must finish before this does.
  const settled = await Promise.allSettled(lines)
  const failed = settled.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return done
}

async function askLine(
  ctx: OwnerContext,
  pass: Pass,
  name: string,
  queue: Iterator<Cell, undefined>,
  prompts: ReadonlyMap<string, Prompt>,
  budget: Budget,
  done: Done,
): Promise<void> {
  const engine = findEngine(ctx.extensions(visibilityEngine), name, pass.tracker.provider)
  const missing = engine ? engine.needs(ctx) : null
  if (!engine || (missing && missing.length > 0)) {
    const why = engine ? `set ${missing?.join(' and ')}` : `no plugin reaches it by ${pass.tracker.provider}`
    hold(ctx, done, name, `unavailable: ${why}.`)
    return
  }
  while (!pass.task.signal.aborted && done.ended === null && !isHeld(done, name)) {
    const cell = queue.next().value
    const prompt = cell && prompts.get(cell.prompt_id)
    if (!cell || !prompt) return
    const over = await budget.take()
    if (over !== null) {
      done.ended = over
      return
    }
    const asked = await askSlot(ctx, pass, cell, prompt, engine)
    budget.settle(usdOf(asked))
    if (asked.kind !== 'limited') done.claimed.add(keyOf(cell))
    const fault = faultOf(asked)
    if (fault?.kind === 'limited' || fault?.kind === 'refused') {
      hold(ctx, done, name, fault.message, fault.retry_after_ms)
    }
  }
}

function usdOf(asked: SlotOutcome): number {
  if (asked.kind !== 'asked') return 0
  const { outcome } = asked
  return (outcome.ok ? outcome.answer : outcome.fault.answer)?.cost_usd ?? 0
}

function faultOf(asked: SlotOutcome): EngineFault | null {
  if (asked.kind === 'limited') return asked.fault
  return asked.kind === 'asked' && !asked.outcome.ok ? asked.outcome.fault : null
}

const isHeld = ({ holds }: Done, name: string) => holds.some(({ engine }) => engine === name)

function hold(ctx: OwnerContext, done: Done, engine: string, message: string, waitMs = holdMs): void {
  const until = new Date(ctx.now().getTime() + Math.min(Math.max(waitMs, 60_000), 24 * holdMs)).toISOString()
  const reason = `${engine}: ${message}`.slice(0, 300)
  if (!isHeld(done, engine)) done.holds.push({ engine, until, reason })
  addSample(done, reason)
}

function addSample({ samples }: Done, text: string): void {
  if (!samples.includes(text)) samples.push(text)
}

interface Noted {
  readonly tracker: Tracker
  readonly timezone: string
  readonly day: string
  readonly manual: boolean
  readonly cells: readonly Cell[]
  readonly left: readonly Cell[]
  readonly budget: Budget
  readonly done: Done
  readonly wasRound: boolean
  readonly prompts: readonly Prompt[]
}

/** Stores how the attempt ended and when the next question is due. */
async function note(ctx: OwnerContext, noted: Noted): Promise<void> {
  const { tracker, timezone, day, manual, cells, left, budget, done, wasRound } = noted
  const at = ctx.now().toISOString()
  const counts = await countDay(ctx, tracker.id, day)
  const error_samples = [...new Set([...done.samples, ...counts.samples])].slice(0, 5)
  const isOver = wasRound && left.length === 0
  const sure_until = isOver && (await isEnough(ctx, noted)) ? firstOfNextMonth(day) : tracker.sure_until
  const stopped = { ...tracker, sure_until }
  await stampPrompts(ctx, cells, done, at)
  const nothingRan = wasRound && counts.ran + counts.errors === 0
  await ctx.rows(VisibilityTracker).update(tracker.id, {
    ...(sure_until === undefined ? {} : { sure_until }),
    due_at: dueAfter(ctx, stopped, timezone, done.ended === null ? left : [], done),
    holds: [...done.holds],
    ...(done.claimed.size > 0 ? { last_run_at: at } : {}),
    ...(wasRound && !manual ? { last_scheduled_run_at: at } : {}),
    ...(wasRound
      ? {
          last_run_summary: nothingRan
            ? { at, ran: 0, message: (done.ended ?? error_samples.join(' ')) || 'No question was asked.' }
            : {
                ...{ at, ran: counts.ran, errors: counts.errors, planned: cells.length },
                ...{ truncated: done.ended !== null, quota_used: budget.used, quota_limit: budget.limit },
                ...(error_samples.length > 0 ? { error_samples } : {}),
              },
        }
      : {}),
  })
}

/** Stores when the prompts were last asked. */
async function stampPrompts(
  ctx: OwnerContext,
  cells: readonly Cell[],
  { claimed }: Done,
  last_run_at: string,
) {
  const ids = [...new Set(cells.filter((cell) => claimed.has(keyOf(cell))).map((cell) => cell.prompt_id))]
  if (ids.length > 0) await ctx.rows(VisibilityPrompt).updateMany(where.in('id', ids), { last_run_at })
}

/** Returns when the next question is due. Questions to a paused engine wait until its pause ends. */
function dueAfter(
  ctx: OwnerContext,
  tracker: Tracker,
  timezone: string,
  left: readonly Cell[],
  done: Done,
): string {
  const free = left.filter(({ engine }) => !isHeld(done, engine))
  const next = nextDue(tracker, timezone, ctx.now(), free)
  const held = done.holds.filter(({ engine }) => left.some((cell) => cell.engine === engine))
  return [next, ...held.map(({ until }) => until)].sort()[0] ?? next
}

const firstOfNextMonth = (day: string): string =>
  shiftDay(`${day.slice(0, 7)}-01`, 32)
    .slice(0, 8)
    .concat('01')

/** Whether the stop rule is met this month, over the prompts that do not name the brand themselves. */
async function isEnough(ctx: OwnerContext, { tracker, day, prompts }: Noted): Promise<boolean> {
  if (!tracker.stop_when) return false
  const isBranded = brandedBy(tracker)
  const open = new Set(prompts.filter(({ text }) => !isBranded(text)).map(({ id }) => id))
  const cells = await cellsSince(ctx, tracker.id, `${day.slice(0, 7)}-01`, open)
  return isPreciseEnough(estimate(cells), tracker.stop_when)
}
