import { type OwnerContext, where } from 'renown'
import { lastSeq } from '../delivery/fan-out'
import { EventEntry } from '../records/foreign'

type Reads = Pick<OwnerContext, 'rows'>

/** The cursor before the first event of a log. */
export const firstCursor = 'start'

/** Where a subscription begins: after this event. `isLost`: events after the given cursor are missing. */
export interface Position {
  readonly seq: number
  readonly isLost: boolean
}

/** Returns where a subscription begins. Null for a cursor begins now. */
export async function positionOf(
  ctx: Reads,
  workspace_id: string,
  { cursor, since }: { readonly cursor: string | null; readonly since?: string },
): Promise<Position> {
  if (cursor === null) return { seq: await lastSeq(ctx, workspace_id), isLost: false }
  const from = await cursorPosition(ctx, workspace_id, cursor)
  if (since === undefined) return from
  const own = [where.eq('workspace_id', workspace_id), where.gt('seq', from.seq)]
  const [tooOld] = await ctx.rows(EventEntry).list({
    where: where.and(...own, where.lt('created_date', since)),
    sort: [{ field: 'seq', direction: 'desc' }],
    limit: 1,
  })
  return tooOld ? { seq: tooOld.seq, isLost: true } : from
}

async function cursorPosition(ctx: Reads, workspace_id: string, cursor: string): Promise<Position> {
  const row = cursor === firstCursor ? null : await ctx.rows(EventEntry).get(cursor)
  if (row?.workspace_id === workspace_id) return { seq: row.seq, isLost: false }
  const first = await firstAfter(ctx, workspace_id, 0)
  const seq = first ? first.seq - 1 : await lastSeq(ctx, workspace_id)
  return { seq, isLost: cursor !== firstCursor || seq > 0 }
}

/** Returns the first event after a position in the log. */
export async function firstAfter(ctx: Reads, workspace_id: string, seq: number) {
  const [first] = await ctx.rows(EventEntry).list({
    where: where.and(where.eq('workspace_id', workspace_id), where.gt('seq', seq)),
    sort: [{ field: 'seq', direction: 'asc' }],
    limit: 1,
  })
  return first
}

/** Returns the cursor of a position. */
export async function cursorAt(ctx: Reads, workspace_id: string, seq: number): Promise<string> {
  const same = where.and(where.eq('workspace_id', workspace_id), where.eq('seq', seq))
  const [row] = seq === 0 ? [] : await ctx.rows(EventEntry).list({ where: same, limit: 1 })
  return row?.id ?? firstCursor
}
