import { dayMs, type OwnerContext, type Row, where } from 'renown'
import { Mention } from '../records/Mention'
import type { FoundPost, MentionSource } from '../sources/source'
import { canonicalUrl, formerUrl, namesPost } from './canonical-url'
import { type Authored, isOtherAuthor, isSameAuthor } from './same-author'
import { hasSameTitle, hasSameWords, isAlike, isLongText, type PostText } from './same-text'
import { bitsBetween, type HashBits, hashBits, textHash } from './text-hash'

/** Texts whose hashes differ in at most this many bits are nearly the same. */
const bitsMax = 3
/** Copies are posted within this time. */
const withinMs = 7 * dayMs
/** A text is compared with this many mentions of its tracker, the newest. */
const candidatesMax = 2_000
/** Mentions at one address that are compared. */
const sameAddressMax = 500

/** A post that is compared with the mentions of a tracker. */
export interface Candidate extends Authored, PostText {
  readonly tracker_id: string
  readonly url: string
  /** Absent if its date is unknown. Then the time at which it is found counts. */
  readonly posted_at?: string | undefined
  /** The source that found it. */
  readonly found_by?: string | undefined
  /** The mention of the post itself, if it is stored. */
  readonly id?: string
}

/** What a post repeats. */
export interface Repeats {
  /** The first mention of the same post or of a copy by the same author. */
  readonly duplicate_of?: string
  /** The first mention of another author with nearly the same words. */
  readonly similar_to?: string
}

type Stored = Row<typeof Mention>

/** A mention in the form in which a thousand posts are compared with it. */
interface Original extends Authored {
  readonly id: string
  /** The first mention with this text. */
  readonly first: string
  readonly bits: HashBits
  readonly postedMs: number
}

const originalOf = ({
  id,
  text_hash,
  posted_at,
  discovered_at,
  source,
  author,
  similar_to,
}: Pick<Stored, (typeof originalFields)[number] | 'id'>): Original[] =>
  text_hash === undefined
    ? []
    : [
        {
          id,
          first: similar_to ?? id,
          bits: hashBits(text_hash),
          postedMs: Date.parse(posted_at ?? discovered_at),
          source,
          author: { handle: author.handle, url: author.url },
        },
      ]

const originalFields = ['text_hash', 'posted_at', 'discovered_at', 'source', 'author', 'similar_to'] as const

/** Returns a post that a tracker found, as it is compared. */
export const candidateOf = (
  { channel, url, title, body, author, posted_at }: FoundPost,
  { name: found_by }: Pick<MentionSource, 'name'>,
  tracker_id: string,
): Candidate => ({
  tracker_id,
  url,
  title,
  body,
  posted_at,
  found_by,
  source: channel,
  ...(author === undefined ? {} : { author }),
})

/** Returns the mentions of a tracker at the address of a post, also those that were stored with an earlier form of it. */
export async function mentionsAt(
  ctx: OwnerContext,
  tracker_id: string,
  url: string,
): Promise<readonly Stored[]> {
  const address = canonicalUrl(url)
  // Only the fields of one index: with a third, the store would read all mentions of the tracker for each post.
  const sameAddress = where.and(
    where.eq('tracker_id', tracker_id),
    where.in('canonical_url', [...new Set([address, formerUrl(url)])]),
  )
  const rows = await ctx.rows(Mention).list({ where: sameAddress, limit: sameAddressMax })
  return rows.filter((row) => canonicalUrl(row.url) === address)
}

/**
 * Creates the function that says what a post repeats: the same post found in another way, a copy by the same author, or
 * nearly the same words of somebody else. It names the first mention, never a copy. `add` makes a new mention known.
 */
export function duplicateFinder(ctx: OwnerContext) {
  const byTracker = new Map<string, Promise<Original[]>>()
  const find = async (post: Candidate, atAddress?: readonly Stored[]): Promise<Repeats> => {
    const others = atAddress ?? (await mentionsAt(ctx, post.tracker_id, post.url))
    const same = others.filter(({ id }) => id !== post.id).find((row) => isSamePost(row, post))
    const isCopyOfPost = same?.duplicate_of !== undefined && same.duplicate_of === post.id
    if (same && !isCopyOfPost) return { duplicate_of: same.duplicate_of ?? same.id }
    const hash = textHash(`${post.title ?? ''} ${post.body}`)
    if (hash === null) return {}
    const known = byTracker.get(post.tracker_id) ?? readOriginals(ctx, post.tracker_id)
    byTracker.set(post.tracker_id, known)
    const bits = hashBits(hash)
    const postedMs = post.posted_at === undefined ? ctx.now().getTime() : Date.parse(post.posted_at)
    const near = (await known).filter((one) => one.id !== post.id && isNear(one, bits, postedMs))
    const own = near.find((one) => isCopyByAuthor(one, post)) ?? (await longCopy(ctx, near, post))
    if (own) return { duplicate_of: own.id }
    const [first] = near.filter((one) => one.first !== post.id)
    return first ? { similar_to: first.first } : {}
  }
  return Object.assign(find, {
    add(row: Stored) {
      if (row.duplicate_of === undefined)
        void byTracker.get(row.tracker_id)?.then((rows) => rows.push(...originalOf(row)))
    },
  })
}

/** The function that `duplicateFinder` creates. */
export type DuplicateFinder = ReturnType<typeof duplicateFinder>

/**
 * Whether a mention at the same address is the same post. Many people write on one page, and one person more than once,
 * so the address alone never says so. One person can have two names if the post was found in two ways.
 */
function isSamePost(row: Stored, post: Candidate): boolean {
  // Nobody knows any more what it said. It must not come back by another way.
  if (row.removal_rule !== undefined || row.removed_at_source_at !== undefined) return namesPost(post.url)
  const isOtherWay = row.found_by !== post.found_by
  const isSameText = isAlike(row, post) || (isOtherWay && hasSameTitle(row, post))
  if (!isSameText) return false
  return !isOtherAuthor(row, post) || (isOtherWay && namesPost(post.url))
}

/** Whether a near text is a copy that the author posted again. Equal names on two platforms can be two people. */
function isCopyByAuthor(one: Original, post: Candidate): boolean {
  if (!isSameAuthor(one, post)) return false
  const profile = one.author?.url
  return one.source === post.source || (profile !== undefined && profile === post.author?.url)
}

/** Returns the first mention with the same long text, of any author. */
async function longCopy(
  ctx: OwnerContext,
  near: readonly Original[],
  post: Candidate,
): Promise<Original | null> {
  if (near.length === 0 || !isLongText(post)) return null
  for (const one of near) {
    const row = await ctx.rows(Mention).get(one.id)
    if (row && hasSameWords(row, post)) return one
  }
  return null
}

const isNear = (one: Original, bits: HashBits, postedMs: number): boolean =>
  Math.abs(one.postedMs - postedMs) <= withinMs && bitsBetween(one.bits, bits) <= bitsMax

/** Reads the newest mentions of a tracker, the oldest of them first. */
async function readOriginals(ctx: OwnerContext, trackerId: string): Promise<Original[]> {
  const since = new Date(ctx.now().getTime() - 2 * withinMs).toISOString()
  const own = where.and(
    where.eq('tracker_id', trackerId),
    where.eq('duplicate_of', null),
    where.gte('discovered_at', since),
  )
  const found: Original[] = []
  for await (const row of ctx.rows(Mention).each({ where: own, fields: originalFields }))
    found.push(...originalOf(row))
  return found.toSorted((a, b) => a.postedMs - b.postedMs).slice(-candidatesMax)
}
