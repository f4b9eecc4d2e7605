import { type OwnerContext, type Row, where } from 'renown'
import { VisibilitySlot } from '../records/VisibilitySlot'
import type { VisibilityTracker } from '../records/VisibilityTracker'
import { type Cell, keyOf, minuteOf } from './slots'

type Tracker = Row<typeof VisibilityTracker>

/** Cells whose claims are read at once. */
const chunkMax = 100

/** Which cells of a day a pass found. */
export interface DueCells {
  /** Cells without a claim, in order of their minutes. */
  readonly open: readonly Cell[]
  /** Cells that the pass did not look at, because they are due later or the pass is full. */
  readonly later: readonly Cell[]
  /** Returns the progress of the day after these cells were claimed too. */
  progressAfter(claimed: ReadonlySet<string>): NonNullable<Tracker['progress']>
}

/**
 * Finds the cells of a day without a claim, up to a minute. It begins where the last pass ended, so that it reads
 * only the claims of cells that became due since then.
 */
export async function dueCells(
  ctx: OwnerContext,
  tracker: Tracker,
  day: string,
  cells: readonly Cell[],
  { minute, max }: { readonly minute: number; readonly max: number },
): Promise<DueCells> {
  const ordered = cells
    .map((cell) => ({ cell, minute: minuteOf(tracker.id, cell, day) }))
    .sort((a, b) => a.minute - b.minute)
  const hash = hashOf(cells)
  const { progress } = tracker
  const done = progress?.day === day && progress.cells === hash ? progress.minute : -1
  const first = ordered.findIndex((one) => one.minute > done)
  const waiting = first < 0 ? [] : ordered.slice(first)
  const due = waiting.filter((one) => one.minute <= minute)
  const open: Cell[] = []
  let looked = 0
  while (looked < due.length && open.length < max) {
    const chunk = due.slice(looked, looked + Math.min(chunkMax, max)).map(({ cell }) => cell)
    const claimed = await claimsOf(ctx, tracker, day, chunk)
    for (const cell of chunk) {
      if (open.length === max) break
      looked++
      if (!claimed.has(keyOf(cell))) open.push(cell)
    }
  }
  const later = waiting.slice(looked)
  const isOpen = new Set(open.map(keyOf))
  return {
    open,
    later: later.map(({ cell }) => cell),
    progressAfter(claimed) {
      const left = waiting.find(
        ({ cell }, place) => place >= looked || (isOpen.has(keyOf(cell)) && !claimed.has(keyOf(cell))),
      )
      return { day, cells: hash, minute: (left?.minute ?? minutesOfDay) - 1 }
    },
  }
}

const minutesOfDay = 1_440

async function claimsOf(ctx: OwnerContext, tracker: Tracker, day: string, cells: readonly Cell[]) {
  const prompts = [...new Set(cells.map(({ prompt_id }) => prompt_id))]
  const claims = ctx.rows(VisibilitySlot).each({
    where: where.and(
      where.eq('workspace_id', tracker.workspace_id),
      where.eq('tracker_id', tracker.id),
      where.eq('local_day', day),
      where.in('prompt_id', prompts),
    ),
    fields: ['prompt_id', 'engine', 'country'],
  })
  const keys = new Set<string>()
  for await (const claim of claims) keys.add(keyOf(claim))
  return keys
}

/** Identifies a set of cells. A tracker with other prompts, engines or countries looks at the whole day again. */
function hashOf(cells: readonly Cell[]): string {
  let hash = 0n
  for (const cell of cells) {
    let own = 0xcbf29ce484222325n
    for (const character of keyOf(cell)) {
      own = BigInt.asUintN(64, (own ^ BigInt(character.codePointAt(0) as number)) * 0x100000001b3n)
    }
    hash = BigInt.asUintN(64, hash + own)
  }
  return `${cells.length} ${hash.toString(36)}`
}
