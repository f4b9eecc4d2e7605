import { dayMs, type OwnerContext, type Row, where } from 'renown'
import { Mention } from '../records/Mention'
import { bitsBetween } from './text-hash'

/** Texts whose hashes differ in at most this many bits are copies. */
const bitsMax = 3
/** Copies are posted within this time. */
const withinMs = 7 * dayMs
/** A text is compared with this many mentions of its tracker. */
const candidatesMax = 2_000

interface Candidate {
  readonly tracker_id: string
  readonly canonical_url: string
  readonly hash: string | null
  readonly posted_at: string
}

type Original = Pick<Row<typeof Mention>, 'id' | 'tracker_id' | 'text_hash' | 'duplicate_of' | 'posted_at'>

/**
 * Creates the function that finds the mention which a post repeats: one of the same tracker with the same address, or
 * with nearly the same text within a week. It returns the id of the first one, never of a copy. `add` makes a new
 * mention known.
 */
export function duplicateFinder(ctx: OwnerContext) {
  const byTracker = new Map<string, Promise<Original[]>>()
  const find = async ({ tracker_id, canonical_url, hash, posted_at }: Candidate): Promise<string | null> => {
    const own = where.and(where.eq('tracker_id', tracker_id), where.eq('duplicate_of', null))
    const [same] = await ctx
      .rows(Mention)
      .list({ where: where.and(own, where.eq('canonical_url', canonical_url)), limit: 1 })
    if (same || hash === null) return same?.id ?? null
    const known = byTracker.get(tracker_id) ?? readOriginals(ctx, tracker_id)
    byTracker.set(tracker_id, known)
    return (await known).find((one) => isCopy(one, hash, posted_at))?.id ?? null
  }
  return Object.assign(find, {
    add(row: Original) {
      if (row.duplicate_of === undefined) void byTracker.get(row.tracker_id)?.then((rows) => rows.push(row))
    },
  })
}

const isCopy = ({ text_hash, posted_at }: Original, hash: string, postedAt: string): boolean =>
  text_hash !== undefined &&
  Math.abs(Date.parse(posted_at) - Date.parse(postedAt)) <= withinMs &&
  bitsBetween(text_hash, hash) <= bitsMax

/** Reads the hashes of a tracker's mentions of the last two weeks. */
async function readOriginals(ctx: OwnerContext, trackerId: string): Promise<Original[]> {
  const since = new Date(ctx.now().getTime() - 2 * withinMs).toISOString()
  const own = where.and(
    ...[where.eq('tracker_id', trackerId), where.eq('duplicate_of', null)],
    where.gte('posted_at', since),
  )
  const found: Original[] = []
  const fields = ['id', 'tracker_id', 'text_hash', 'duplicate_of', 'posted_at'] as const
  for await (const row of ctx.rows(Mention).each({ where: own, fields })) {
    found.push(row)
    if (found.length >= candidatesMax) break
  }
  return found
}
