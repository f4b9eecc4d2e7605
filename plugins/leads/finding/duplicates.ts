import { dayMs, type OwnerContext, type Row, where } from 'renown'
import { Mention } from '../records/Mention'
import { bitsBetween, type HashBits, hashBits } from './text-hash'

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

type Stored = Pick<Row<typeof Mention>, 'id' | 'tracker_id' | 'text_hash' | 'duplicate_of' | 'posted_at'>

/** A mention in the form in which a thousand posts are compared with it. */
interface Original {
  readonly id: string
  readonly bits: HashBits
  readonly postedMs: number
}

const originalOf = ({ id, text_hash, posted_at = '' }: Stored): Original[] =>
  text_hash === undefined ? [] : [{ id, bits: hashBits(text_hash), postedMs: Date.parse(posted_at) }]

/**
 * Creates the function that finds the mention which a post repeats: one of the same tracker with the same address, or
 * with nearly the same text within a week. It returns the id of the first one, never of a copy. `add` makes a new
 * mention known.
 */
export function duplicateFinder(ctx: OwnerContext) {
  const byTracker = new Map<string, Promise<Original[]>>()
  const find = async ({ tracker_id, canonical_url, hash, posted_at }: Candidate): Promise<string | null> => {
    // Only the fields of one index: with a third, the store would read all mentions of the tracker for each post.
    const sameAddress = where.and(
      where.eq('tracker_id', tracker_id),
      where.eq('canonical_url', canonical_url),
    )
    const [same] = await ctx.rows(Mention).list({ where: sameAddress, limit: 1 })
    if (same) return same.duplicate_of ?? same.id
    if (hash === null) return null
    const known = byTracker.get(tracker_id) ?? readOriginals(ctx, tracker_id)
    byTracker.set(tracker_id, known)
    const bits = hashBits(hash)
    const postedMs = Date.parse(posted_at)
    return (await known).find((one) => isCopy(one, bits, postedMs))?.id ?? null
  }
  return Object.assign(find, {
    add(row: Stored) {
      if (row.duplicate_of === undefined)
        void byTracker.get(row.tracker_id)?.then((rows) => rows.push(...originalOf(row)))
    },
  })
}

const isCopy = (one: Original, bits: HashBits, postedMs: number): boolean =>
  Math.abs(one.postedMs - postedMs) <= withinMs && bitsBetween(one.bits, bits) <= bitsMax

/** Reads the hashes of a tracker's mentions of the last two weeks. */
async function readOriginals(ctx: OwnerContext, trackerId: string): Promise<Original[]> {
  const since = new Date(ctx.now().getTime() - 2 * withinMs).toISOString()
  const own = where.and(
    where.eq('tracker_id', trackerId),
    where.eq('duplicate_of', null),
    where.gte('posted_at', since),
  )
  const found: Original[] = []
  const fields = ['id', 'tracker_id', 'text_hash', 'duplicate_of', 'posted_at'] as const
  for await (const row of ctx.rows(Mention).each({ where: own, fields })) {
    found.push(...originalOf(row))
    if (found.length >= candidatesMax) break
  }
  return found
}
