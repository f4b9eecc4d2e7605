import { type ErasedPeople, nullIfConflict, type OwnerContext, type Row, where } from 'renown'
import { hasLanguage } from '../keywords/evaluate'
import type { MatchSpan } from '../keywords/matcher'
import { BrandTracker } from '../records/BrandTracker'
import { groupsOf } from '../records/groups-of'
import { Mention } from '../records/Mention'
import { othersRan } from '../sources/others-ran'
import type { FoundPost, MentionSource, SourceReading } from '../sources/source'
import type { ActiveTrackers, Tracker } from './active-trackers'
import { adoptMention, noLongerCopy } from './adopt-mention'
import { canonicalUrl } from './canonical-url'
import { candidateOf, type DuplicateFinder, duplicateFinder, mentionsAt } from './duplicates'
import { textChanges, textDigest, unmatchedChanges } from './edits'
import { isOfErased } from './erased-mention'
import { excerptOf } from './excerpt'
import { detectLanguage } from './language'
import { nextLook } from './looks'
import { dropReasons, removeDeleted } from './removal'
import { settlePost, withPost } from './same-post'
import { isWanted, takesFeed } from './targets'
import { textHash } from './text-hash'

interface Found {
  readonly source: MentionSource
  readonly target: string
  readonly active: ActiveTrackers
  readonly reading: SourceReading
}

/** A post that matches a tracker. */
interface Hit {
  readonly post: FoundPost
  readonly tracker: Tracker
  readonly keywords: readonly string[]
  readonly spans: readonly MatchSpan[]
}

type MentionRow = Row<typeof Mention>

/**
 * Stores the posts of a reading that match a tracker, each once for each tracker, and follows edits and deletions.
 * May run again with the same posts. Returns how many mentions the posts are, with those that were known before.
 */
export async function storePosts(ctx: OwnerContext, found: Found): Promise<number> {
  const { source, reading, active } = found
  const hits = await storable(ctx, await hitsOf(found))
  const known = await knownMentions(ctx, hits)
  const readIds = new Set(reading.posts.map(({ source_id }) => source_id))
  const grown = new Set<string>()
  for (const [id, own] of Map.groupBy(hits, ({ tracker }) => tracker.id)) {
    for (let at = 0; at < own.length; at += storedAtOnce) {
      const some = { source, hits: own.slice(at, at + storedAtOnce), known, readIds }
      // Two sources often find one post at the same time. Each must see what the other has stored.
      if (await ctx.withLock(`mentions of ${id}`, () => storeSome(ctx, some))) grown.add(id)
    }
  }
  for (const id of grown) await countMentions(ctx, id)
  await settleShared(ctx, active, hits)
  if (source.reach !== 'everything') await followUnmatched(ctx, { source, active, reading, hits })
  if (reading.deleted) await removeDeleted(ctx, source, reading.deleted)
  return hits.length
}

/** Leaves out posts of people who were erased, and their names in posts of others. */
async function storable(ctx: OwnerContext, hits: readonly Hit[]): Promise<readonly Hit[]> {
  const left: Hit[] = []
  for (const [workspaceId, own] of Map.groupBy(hits, ({ tracker }) => tracker.workspace_id)) {
    const erased = await ctx.erasedPeople(workspaceId)
    if (erased.isEmpty) left.push(...own)
    else
      for (const hit of own)
        if (!isOfErased(erased, hit.post)) left.push({ ...hit, post: erased.redact(hit.post) })
  }
  return left
}

/** Posts of a tracker that are stored under one lock, which is for short work. */
const storedAtOnce = 100

interface SomeHits {
  readonly source: MentionSource
  /** Of one tracker. */
  readonly hits: readonly Hit[]
  readonly known: ReadonlyMap<string, MentionRow>
  /** The ids of all posts of the reading. */
  readonly readIds: ReadonlySet<string>
}

/** Stores posts that match one tracker. Returns whether more mentions count than before. */
async function storeSome(ctx: OwnerContext, { source, hits, known, readIds }: SomeHits): Promise<boolean> {
  const find = duplicateFinder(ctx)
  let isMore = false
  for (const hit of hits) {
    // The lock of the tracker is held in the meantime, so nobody else stores its posts in this turn.
    await othersRan()
    const { post, tracker } = hit
    let mention = known.get(keyOf(tracker.id, post)) ?? null
    if (mention === null) {
      const atAddress = await mentionsAt(ctx, tracker.id, post.url)
      mention = await adoptMention(ctx, source, { post, tracker_id: tracker.id }, { atAddress, readIds })
      if (mention === null && (await insert(ctx, source, hit, find, atAddress))) isMore = true
    }
    if (mention !== null && (await followEdit(ctx, source, mention, hit, find))) isMore = true
  }
  return isMore
}

/** Chooses the mentions that count for posts which several trackers of one location found. */
async function settleShared(
  ctx: OwnerContext,
  { trackers }: ActiveTrackers,
  hits: readonly Hit[],
): Promise<void> {
  const byLocation = Map.groupBy(trackers.values(), ({ location_id }) => location_id)
  for (const { post, tracker } of hits) {
    const { location_id } = tracker
    if ((byLocation.get(location_id)?.length ?? 0) < 2) continue
    const shared = { location_id, source: post.channel, source_id: post.source_id }
    await withPost(ctx, shared, () => settlePost(ctx, shared))
  }
}

const keyOf = (trackerId: string, { channel, source_id }: Pick<FoundPost, 'channel' | 'source_id'>) =>
  `${trackerId}\n${channel}\n${source_id}`

async function hitsOf({ source, target, active, reading }: Found): Promise<Hit[]> {
  const { matcher, trackers } = active
  const hits: Hit[] = []
  const subscribers = [...trackers.values()].filter((one) => one.feeds?.includes(target)).map(({ id }) => id)
  for (const found of reading.posts) {
    await othersRan()
    const matches = new Map(
      matcher.match({ ...found, source: found.channel }).map((match) => [match.tracker_id, match]),
    )
    const chosen = source.isPreselected ? subscribers : [...matches.keys()]
    for (const id of chosen) {
      const tracker = trackers.get(id)
      if (!tracker || !isFor(tracker, source, target, found)) continue
      const match = matches.get(id)
      if (!match && matcher.isExcluded({ ...found, source: found.channel }, id)) continue
      const language = found.language ?? (await detectLanguage(`${found.title ?? ''}\n${found.body}`))
      if (!isLanguageOf(tracker, language)) continue
      const post = { ...found, language }
      hits.push({ post, tracker, keywords: match?.keywords ?? [], spans: match?.spans ?? [] })
    }
  }
  return hits
}

const isLanguageOf = ({ languages }: Tracker, language: string) =>
  languages.length === 0 || language === 'und' || languages.some((wanted) => hasLanguage(language, wanted))

/** Whether a tracker reads this target of the source, and the channel of the post. */
function isFor(tracker: Tracker, source: MentionSource, target: string, { channel }: FoundPost): boolean {
  if (!isWanted(tracker, source)) return false
  if (tracker.sources.length > 0 && !tracker.sources.includes(channel)) return false
  if (source.reach !== 'feed') return true
  return (tracker.feeds ?? []).includes(target) && takesFeed(source, target)
}

async function knownMentions(ctx: OwnerContext, hits: readonly Hit[]): Promise<Map<string, MentionRow>> {
  const known = new Map<string, MentionRow>()
  for (let at = 0; at < hits.length; at += 100) {
    const some = hits.slice(at, at + 100)
    const rows = await ctx.rows(Mention).list({
      // With the channel, the index of posts finds them. Without it, all mentions of these trackers are read.
      where: where.and(
        where.in('source', [...new Set(some.map(({ post }) => post.channel))]),
        where.in('tracker_id', [...new Set(some.map(({ tracker }) => tracker.id))]),
        where.in('source_id', [...new Set(some.map(({ post }) => post.source_id))]),
      ),
      limit: 10_000,
    })
    for (const row of rows) {
      known.set(keyOf(row.tracker_id, { channel: row.source, source_id: row.source_id }), row)
    }
  }
  return known
}

async function insert(
  ctx: OwnerContext,
  source: MentionSource,
  { post, tracker, keywords, spans }: Hit,
  find: DuplicateFinder,
  atAddress: readonly MentionRow[],
): Promise<boolean> {
  const { title, body, author, parent_url, posted_at, edited_at } = post
  const hash = textHash(`${title ?? ''} ${body}`)
  const repeats = await find(candidateOf(post, source, tracker.id), atAddress)
  const now = ctx.now()
  const [span] = spans.filter(({ field }) => field === 'body')
  const found = { found_by: source.name, source: post.channel, source_id: post.source_id, url: post.url }
  const row = await ctx
    .rows(Mention)
    .insert({
      workspace_id: tracker.workspace_id,
      location_id: tracker.location_id,
      tracker_id: tracker.id,
      ...found,
      ...(title === undefined ? {} : { title }),
      body,
      excerpt: excerptOf(body, span?.start ?? 0),
      language: post.language ?? 'und',
      author: author ?? { handle: '' },
      ...(parent_url === undefined ? {} : { parent_url }),
      ...(edited_at === undefined ? {} : { edited_at }),
      ...(posted_at === undefined ? {} : { posted_at }),
      discovered_at: now.toISOString(),
      matched_keywords: [...keywords],
      is_lead: false,
      status: 'new' as const,
      is_read: false,
      is_archived: false,
      tags: [],
      body_version: 1,
      canonical_url: canonicalUrl(post.url),
      is_judged: false,
      ...(hash === null ? {} : { text_hash: hash }),
      ...repeats,
      ...nextLook(ctx, source, { ...found, discovered_at: now.toISOString() }),
    })
    .catch(nullIfConflict)
  if (row === null) return false
  find.add(row)
  return row.duplicate_of === undefined
}

/**
 * Stores a changed text of a known mention, and has it judged again. Only the source that found the post knows about
 * its edits: an item of a feed can have any id, also that of a post of another platform. Returns whether the mention counts
 * now and was a copy before.
 */
async function followEdit(
  ctx: OwnerContext,
  source: MentionSource,
  mention: MentionRow,
  { post, keywords, spans }: Hit,
  find: DuplicateFinder,
): Promise<boolean> {
  if (mention.removal_rule !== undefined) return false
  if (mention.found_by !== undefined && mention.found_by !== source.name) return false
  // A look by its id knows more than a search, which lists deleted posts and earlier words for a while.
  if (mention.is_gone_by_look === true) return false
  const edit = isOutdated(source, mention, post) ? null : textChanges(mention, post, ctx.now(), spans)
  const own = await noLongerCopy(find, source, mention, post)
  // A date that could not be read before may be readable now.
  const dated = mention.posted_at === undefined && post.posted_at !== undefined
  if (edit === null && own === null && !dated) return false
  await ctx.rows(Mention).update(mention.id, {
    ...(edit === null ? {} : { ...edit, matched_keywords: [...keywords], unmatched_at: undefined }),
    ...(dated ? { posted_at: post.posted_at } : {}),
    ...own,
  })
  return own !== null
}

/** Whether a search lists the words that the author has replaced since, as a look by the id found. */
const isOutdated = ({ recheck }: MentionSource, mention: MentionRow, post: FoundPost): boolean =>
  recheck !== undefined && mention.replaced_text === textDigest(post)

/** Counts the mentions of a tracker again. A count that is added up would drift after a kill. */
async function countMentions(ctx: OwnerContext, tracker_id: string): Promise<void> {
  const own = where.and(where.eq('tracker_id', tracker_id), where.eq('duplicate_of', null))
  const mentions_total = await ctx.rows(Mention).count(own)
  await ctx.rows(BrandTracker).update(tracker_id, { mentions_total })
}

interface Reread {
  readonly source: MentionSource
  readonly active: ActiveTrackers
  readonly reading: SourceReading
  readonly hits: readonly Hit[]
}

/** Follows edits after which a known post of this reading contains no keyword of its tracker any more. */
async function followUnmatched(ctx: OwnerContext, { source, active, reading, hits }: Reread): Promise<void> {
  const matched = new Set(hits.map(({ post, tracker }) => keyOf(tracker.id, post)))
  const posts = new Map(reading.posts.map((post) => [post.source_id, post]))
  const known = new Map<string, ErasedPeople>()
  for (const group of groupsOf([...posts.keys()])) {
    const rows = await ctx.rows(Mention).list({
      where: where.and(
        where.eq('found_by', source.name),
        where.in('source_id', group),
        where.eq('removal_rule', null),
      ),
      limit: 10_000,
    })
    for (const row of rows) {
      const post = posts.get(row.source_id)
      if (post === undefined || row.is_gone_by_look === true || isOutdated(source, row, post)) continue
      if (matched.has(keyOf(row.tracker_id, { channel: row.source, source_id: row.source_id }))) continue
      const erased = known.get(row.workspace_id) ?? (await ctx.erasedPeople(row.workspace_id))
      known.set(row.workspace_id, erased)
      const changes = unmatchedChanges(active, row, erased.redact(post), ctx.now())
      if (changes === null) continue
      await dropReasons(ctx, row)
      await ctx.rows(Mention).update(row.id, changes)
    }
  }
}
