import { zstdCompressSync } from 'node:zlib'
import { nullIfConflict, type OwnerContext, type Row, type Task, where } from 'renown'
import { askEngine, type EngineFault, type EngineOutcome } from '../engines/ask-engine'
import type { VisibilityEngine } from '../engines/engine'
import { VisibilityAnswer } from '../records/VisibilityAnswer'
import type { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import { VisibilitySlot } from '../records/VisibilitySlot'
import type { VisibilityTracker } from '../records/VisibilityTracker'
import { visibilitySettings } from '../settings'
import type { Budget } from './budget'
import { judgedRun } from './judged-run'
import type { judgeOf } from './score-answer'
import type { Cell } from './slots'

/** The data that all questions of one pass share. */
export interface Pass {
  readonly tracker: Row<typeof VisibilityTracker>
  readonly day: string
  readonly task: Pick<Task, 'id' | 'signal' | 'hold'>
  readonly judge: ReturnType<typeof judgeOf>
}

/**
 * The outcome of a slot. `taken`: it was already claimed. `over`: a limit is used up. `later`: whether the budget has room is
 * not known yet. `limited`: the engine accepts no questions now. The slot of the last three is free again.
 */
export type SlotOutcome =
  | { readonly kind: 'taken' }
  | { readonly kind: 'over'; readonly why: string }
  | { readonly kind: 'later'; readonly why: string; readonly waitMs: number }
  | { readonly kind: 'limited'; readonly fault: EngineFault }
  | { readonly kind: 'asked'; readonly outcome: EngineOutcome }

/**
 * Asks one question, at most once. The claim is stored first. If the process is killed after that, nobody
 * knows whether the engine was asked, so it is not asked again.
 */
export async function askSlot(
  ctx: OwnerContext,
  { tracker, day, task, judge }: Pass,
  cell: Cell,
  prompt: Row<typeof VisibilityPrompt>,
  engine: VisibilityEngine,
  budget: Pick<Budget, 'reserve'>,
): Promise<SlotOutcome> {
  await task.hold()
  const release = (one: Pick<Row<typeof VisibilitySlot>, 'id'>) =>
    ctx.rows(VisibilitySlot).removeWhere(where.eq('id', one.id))
  const reservation = await budget.reserve(engine, (usd) => claim(ctx, tracker, cell, day, usd), release)
  if (reservation.kind === 'over') await reservation.release()
  if (reservation.kind !== 'reserved') return reservation
  try {
    return await askClaimed(
      ctx,
      { tracker, day, task, judge },
      { cell, prompt, engine, ...reservation, release },
    )
  } finally {
    reservation.abandon()
  }
}

interface Claimed {
  readonly cell: Cell
  readonly prompt: Row<typeof VisibilityPrompt>
  readonly engine: VisibilityEngine
  readonly slot: Row<typeof VisibilitySlot>
  settle(searches: number | null): Promise<void>
  release(slot: Pick<Row<typeof VisibilitySlot>, 'id'>): Promise<unknown>
}

/** Asks a question that was claimed, and stores how it ended. */
async function askClaimed(
  ctx: OwnerContext,
  { tracker, day, task, judge }: Pass,
  { cell, prompt, engine, slot, settle, release }: Claimed,
): Promise<SlotOutcome> {
  const started_at = ctx.now().toISOString()
  const outcome = await askEngine(ctx, engine, {
    prompt: prompt.text,
    country: cell.country,
    language: prompt.language,
    searchesMax: visibilitySettings.of(ctx).VISIBILITY_SEARCHES_PER_ANSWER,
    signal: task.signal,
  })
  // What may have been paid is not asked again on this day.
  if (!outcome.ok && outcome.fault.kind === 'limited' && !isPaid(outcome.fault)) {
    await release(slot)
    await settle(null)
    return { kind: 'limited', fault: outcome.fault }
  }
  const run = await ctx.rows(VisibilityRun).insert({
    workspace_id: tracker.workspace_id,
    tracker_id: tracker.id,
    location_id: tracker.location_id,
    ...cell,
    local_day: day,
    batch_id: task.id,
    started_at,
    provider: engine.provider,
    access: engine.access,
    ...judgedRun(tracker, outcome, judge, prompt.text),
    finished_at: ctx.now().toISOString(),
  })
  await ctx
    .rows(VisibilitySlot)
    .update(slot.id, { settled_at: ctx.now().toISOString(), reserved_usd: undefined })
  await settle((outcome.ok ? outcome.answer : outcome.fault.answer)?.search_calls ?? 0)
  await keepRaw(ctx, tracker, run.id, outcome)
  return { kind: 'asked', outcome }
}

/** Whether a question may have cost something. */
const isPaid = ({ cost, answer }: EngineFault): boolean => cost !== undefined || answer !== undefined

function claim(
  ctx: OwnerContext,
  tracker: Pass['tracker'],
  cell: Cell,
  local_day: string,
  reserved_usd: number | null,
) {
  const slot = {
    ...(reserved_usd === null ? {} : { reserved_usd }),
    workspace_id: tracker.workspace_id,
    tracker_id: tracker.id,
    location_id: tracker.location_id,
    ...cell,
    local_day,
    claimed_at: ctx.now().toISOString(),
  }
  return ctx.rows(VisibilitySlot).insert(slot).catch(nullIfConflict)
}

/** Maximum bytes of an engine's own JSON that are stored. The text and sources are stored in any case. */
const rawMax = 2_000_000

async function keepRaw(ctx: OwnerContext, tracker: Pass['tracker'], run_id: string, outcome: EngineOutcome) {
  const answer = outcome.ok ? outcome.answer : outcome.fault.answer
  if (!answer) return
  const json = Buffer.from(JSON.stringify(answer.raw ?? null))
  if (json.length > rawMax) return
  await ctx.rows(VisibilityAnswer).insert({
    workspace_id: tracker.workspace_id,
    tracker_id: tracker.id,
    location_id: tracker.location_id,
    run_id,
    raw: zstdCompressSync(json).toString('base64'),
    bytes: json.length,
  })
}
