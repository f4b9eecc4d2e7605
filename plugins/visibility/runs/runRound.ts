import { localTime, type OwnerContext, type QueueDeclaration, type Row, where } from 'renown'
import * as v from 'valibot'
import type { EngineFault } from '../engines/ask-engine'
import { findEngine, visibilityEngine } from '../engines/engine'
import { Workspace } from '../records/foreign'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { finishBeginning } from '../tracking/begin-tracking'
import { askSlot, type Pass, type SlotOutcome } from './ask-slot'
import { type Budget, openBudget } from './budget'
import { dueCells } from './due-cells'
import { settle, settleLost } from './lost-slots'
import { type Done, hold, holdMs, isHeld, note } from './round-notes'
import { judgeOf } from './score-answer'
import { type Cell, cellsOf, isRoundDay, keyOf } from './slots'

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
    const lost = await settleLost(ctx, tracker)
    await finishBeginning(ctx, tracker)
    const prompts = await promptsOf(ctx, tracker)
    const cells = cellsOf(tracker, prompts)
    const isRound = manual || isRoundDay(tracker, timezone, day)
    const upTo = { minute: manual ? Number.POSITIVE_INFINITY : minute, max: passMax }
    const due = await dueCells(ctx, tracker, day, isRound ? cells : [], upTo)
    const pass: Pass = { tracker, day, task, judge: judgeOf(tracker) }
    const budget = await openBudget(ctx, tracker, day, task.signal)
    const done = await askAll(ctx, pass, due.open, new Map(prompts.map((one) => [one.id, one])), budget)
    const left = [...due.open.filter((cell) => !done.claimed.has(keyOf(cell))), ...due.later]
    await note(ctx, {
      tracker,
      timezone,
      day,
      manual,
      cells,
      left,
      lost,
      budget,
      done,
      prompts,
      wasRound: due.open.length > 0,
      progress: isRound ? due.progressAfter(done.claimed) : undefined,
    })
    await settle(ctx, lost)
    if (manual && left.length > 0 && done.ended === null && done.claimed.size > 0) {
      await ctx.enqueue('visibility-round', {
        workspace_id: tracker.workspace_id,
        payload: { tracker_id, manual: true },
        runAt: new Date(ctx.now().getTime() + 1_000),
      })
    }
  },
}

const promptsOf = (ctx: OwnerContext, { id, workspace_id }: Tracker): Promise<Prompt[]> =>
  ctx.rows(VisibilityPrompt).list({
    where: where.and(
      where.eq('workspace_id', workspace_id),
      where.eq('tracker_id', id),
      where.eq('status', 'active'),
    ),
    sort: [{ field: 'created_date', direction: 'asc' }],
    limit: promptsMax,
  })

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
  const byEngine = Map.groupBy(due, ({ engine }) => engine)
  const lines = pass.tracker.engines.flatMap((engine) => {
    const cells = byEngine.get(engine)
    if (!cells) return []
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
  const refused = await budget.refusalOf(engine)
  if (refused !== null) {
    hold(ctx, done, name, refused)
    return
  }
  while (!pass.task.signal.aborted && done.ended === null && !isHeld(done, name)) {
    const cell = queue.next().value
    const prompt = cell && prompts.get(cell.prompt_id)
    if (!cell || !prompt) return
    const asked = await askSlot(ctx, pass, cell, prompt, engine, budget)
    if (asked.kind === 'over') {
      done.ended = asked.why
      return
    }
    if (asked.kind === 'later') {
      hold(ctx, done, name, asked.why, asked.waitMs)
      return
    }
    if (asked.kind !== 'limited') done.claimed.add(keyOf(cell))
    const fault = faultOf(asked)
    if (fault?.kind === 'limited' || fault?.kind === 'refused') {
      hold(ctx, done, name, fault.message, fault.retry_after_ms)
    }
  }
}

function faultOf(asked: SlotOutcome): EngineFault | null {
  if (asked.kind === 'limited') return asked.fault
  return asked.kind === 'asked' && !asked.outcome.ok ? asked.outcome.fault : null
}
