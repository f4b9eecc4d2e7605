import { hourMs, type OwnerContext, type Row, shiftDay, where } from 'renown'
import { estimate } from 'renown/statistics'
import { brandedBy } from '../detection/branded'
import { isPreciseEnough } from '../measure/plan'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { basketOf } from '../sums/rounds'
import type { Budget } from './budget'
import { answersSince, countDay } from './day-counts'
import { type Lost, lostSample } from './lost-slots'
import { type Cell, keyOf, nextDue } from './slots'

type Tracker = Row<typeof VisibilityTracker>
type Prompt = Row<typeof VisibilityPrompt>

/** How long to ask an engine nothing after it refused the key or reported a limit. */
export const holdMs = hourMs

/** The result of a pass. */
export interface Done {
  readonly claimed: Set<string>
  readonly holds: NonNullable<Tracker['holds']>
  readonly samples: string[]
  /** Why the budget ended the pass, if it did. */
  ended: string | null
}

/** What a pass did, and for whom. */
interface Noted {
  readonly tracker: Tracker
  readonly timezone: string
  readonly day: string
  readonly manual: boolean
  readonly cells: readonly Cell[]
  /** Cells of the day that wait. */
  readonly left: readonly Cell[]
  readonly lost: readonly Lost[]
  readonly progress: Tracker['progress']
  readonly budget: Budget
  readonly done: Done
  readonly wasRound: boolean
  readonly prompts: readonly Prompt[]
}

/** Stores how the attempt ended and when the next question is due. */
export async function note(ctx: OwnerContext, noted: Noted): Promise<void> {
  const { tracker, timezone, day, manual, cells, left, budget, done, wasRound, progress } = noted
  const at = ctx.now().toISOString()
  const isOver = wasRound && left.length === 0
  const sure_until = isOver && (await isEnough(ctx, noted)) ? firstOfNextMonth(day) : tracker.sure_until
  const stopped = { ...tracker, sure_until }
  await stampPrompts(ctx, cells, done, at)
  const last_run_summary = await summaryOf(ctx, noted, at)
  const rows = ctx.rows(VisibilityTracker)
  const plan = {
    ...(sure_until === undefined ? {} : { sure_until }),
    due_at: dueAfter(ctx, stopped, timezone, done.ended === null ? left : [], done),
    holds: [...done.holds],
  }
  // A person who changed the tracker or its prompts in the meantime planned the next questions again.
  const isSame = where.and(where.eq('id', tracker.id), where.eq('due_at', tracker.due_at ?? null))
  await rows.updateWhere(isSame, plan)
  await rows.update(tracker.id, {
    spent: budget.closed,
    ...(progress ? { progress } : {}),
    ...(done.claimed.size > 0 ? { last_run_at: at } : {}),
    ...(wasRound && !manual ? { last_scheduled_run_at: at } : {}),
    ...(last_run_summary ? { last_run_summary } : {}),
  })
}

/** Returns the outcome of the day of an attempt. Undefined if it asked nothing and found no lost question. */
async function summaryOf(
  ctx: OwnerContext,
  { tracker, day, cells, lost, budget, done, wasRound }: Noted,
  at: string,
): Promise<Tracker['last_run_summary']> {
  if (!wasRound && lost.length === 0) return undefined
  // Lost questions can belong to an earlier day, which had no summary of its own.
  const told = wasRound
    ? day
    : (lost
        .map((one) => one.local_day)
        .sort()
        .at(-1) ?? day)
  const counts = await countDay(ctx, tracker, told)
  const all = [...(lost.length > 0 ? [lostSample(lost)] : []), ...done.samples, ...counts.samples]
  const error_samples = [...new Set(all)].slice(0, 5)
  const lostPart = lost.length > 0 ? { lost: lost.length } : {}
  if (counts.ran + counts.errors === 0) {
    const message = (done.ended ?? error_samples.join(' ')) || 'No question was asked.'
    return { at, ran: 0, message, ...lostPart }
  }
  return {
    at,
    ran: counts.ran,
    errors: counts.errors,
    planned: cells.length,
    ...lostPart,
    truncated: done.ended !== null,
    quota_limit: budget.limit,
    quota_used: Math.max(budget.used, (counts.ran + counts.errors) * budget.perAnswer),
    ...(error_samples.length > 0 ? { error_samples } : {}),
  }
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
  const { cells, shift } = basketOf(await answersSince(ctx, tracker, `${day.slice(0, 7)}-01`, open))
  return isPreciseEnough(estimate(cells, shift), tracker.stop_when)
}

/** Whether an engine is not asked for a while. */
export const isHeld = ({ holds }: Done, name: string) => holds.some(({ engine }) => engine === name)

/** Asks an engine nothing for a while. */
export function hold(ctx: OwnerContext, done: Done, engine: string, message: string, waitMs = holdMs): void {
  const until = new Date(ctx.now().getTime() + Math.min(Math.max(waitMs, 60_000), 24 * holdMs)).toISOString()
  const reason = `${engine}: ${message}`.slice(0, 300)
  if (!isHeld(done, engine)) done.holds.push({ engine, until, reason })
  addSample(done, reason)
}

/** Adds a sample of the errors of a pass, once. */
export function addSample({ samples }: Done, text: string): void {
  if (!samples.includes(text)) samples.push(text)
}
