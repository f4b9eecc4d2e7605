import { dayMs, nullIfConflict, type OwnerContext, type Row, where } from 'renown'
import { hasLanguage } from '../keywords/evaluate'
import type { MatchSpan } from '../keywords/matcher'
import { BrandTracker } from '../records/BrandTracker'
import { Mention } from '../records/Mention'
import { policyOf } from '../sources/policy'
import type { FoundPost, MentionSource, SourceReading } from '../sources/source'
import type { ActiveTrackers, Tracker } from './active-trackers'
import { canonicalUrl } from './canonical-url'
import { duplicateFinder } from './duplicates'
import { excerptOf } from './excerpt'
import { detectLanguage } from './language'
import { removeDeleted } from './removal'
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
  const { source, reading } = found
  const hits = await hitsOf(found)
  const known = await knownMentions(ctx, hits)
  const duplicateOf = duplicateFinder(ctx)
  const grown = new Set<string>()
  for (const hit of hits) {
    const mention = known.get(keyOf(hit.tracker.id, hit.post))
    if (mention) await followEdit(ctx, source, mention, hit)
    else if (await insert(ctx, source, hit, duplicateOf)) grown.add(hit.tracker.id)
  }
  for (const id of grown) await countMentions(ctx, id)
  if (reading.deleted) await removeDeleted(ctx, source, reading.deleted)
  return hits.length
}

const keyOf = (trackerId: string, { channel, source_id }: Pick<FoundPost, 'channel' | 'source_id'>) =>
  `${trackerId}\n${channel}\n${source_id}`

async function hitsOf({ source, target, active, reading }: Found): Promise<Hit[]> {
  const { matcher, trackers } = active
  const hits: Hit[] = []
  const subscribers = [...trackers.values()].filter((one) => one.feeds?.includes(target)).map(({ id }) => id)
  for (const found of reading.posts) {
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
  duplicateOf: ReturnType<typeof duplicateFinder>,
): Promise<boolean> {
  const { title, body, author, parent_url, posted_at, edited_at } = post
  const hash = textHash(`${title ?? ''} ${body}`)
  const canonical_url = canonicalUrl(post.url)
  const duplicate = await duplicateOf({
    tracker_id: tracker.id,
    canonical_url,
    hash,
    posted_at: posted_at ?? ctx.now().toISOString(),
  })
  const policy = policyOf(source, post.channel)
  const now = ctx.now()
  const [span] = spans.filter(({ field }) => field === 'body')
  const row = await ctx
    .rows(Mention)
    .insert({
      workspace_id: tracker.workspace_id,
      location_id: tracker.location_id,
      tracker_id: tracker.id,
      source: post.channel,
      source_id: post.source_id,
      url: post.url,
      found_by: source.name,
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
      canonical_url,
      is_judged: false,
      ...(hash === null ? {} : { text_hash: hash }),
      ...(duplicate === null ? {} : { duplicate_of: duplicate }),
      ...recheckOf(policy.recheck_days, now),
    })
    .catch(nullIfConflict)
  if (row === null) return false
  duplicateOf.add(row)
  return row.duplicate_of === undefined
}

/** Returns when a mention must be read again: a day before the policy's limit. */
export const recheckOf = (days: number | null, now: Date): { recheck_at?: string } =>
  days === null ? {} : { recheck_at: new Date(now.getTime() + (days - 1) * dayMs).toISOString() }

/**
 * Stores a changed text of a known mention, and has it judged again. Only the source that found the post knows about
 * its edits: an item of a feed can have any id, also that of a post of another platform.
 */
async function followEdit(
  ctx: OwnerContext,
  source: MentionSource,
  mention: MentionRow,
  { post, keywords, spans }: Hit,
): Promise<void> {
  if (mention.removal_rule !== undefined) return
  if (mention.found_by !== undefined && mention.found_by !== source.name) return
  const edit = editOf(mention, post, ctx.now(), spans)
  // A date that could not be read before may be readable now.
  const dated = mention.posted_at === undefined && post.posted_at !== undefined
  if (edit === null && mention.removed_at_source_at === undefined && !dated) return
  await ctx.rows(Mention).update(mention.id, {
    // The source shows the post again.
    removed_at_source_at: undefined,
    ...(dated ? { posted_at: post.posted_at } : {}),
    ...(edit === null ? {} : { ...edit, matched_keywords: [...keywords] }),
  })
}

/** Returns the fields of a mention that come from its text, if the text changed. Null if it did not. */
export function editOf(
  mention: MentionRow,
  { title, body, edited_at }: FoundPost,
  now: Date,
  spans: readonly MatchSpan[] = [],
) {
  if (mention.body === body && mention.title === title) return null
  const [span] = spans.filter(({ field }) => field === 'body')
  return {
    title,
    body,
    excerpt: excerptOf(body, span?.start ?? 0),
    text_hash: textHash(`${title ?? ''} ${body}`) ?? undefined,
    body_version: (mention.body_version ?? 1) + 1,
    is_judged: false,
    edited_at: edited_at ?? now.toISOString(),
  }
}

/** Counts the mentions of a tracker again. A count that is added up would drift after a kill. */
async function countMentions(ctx: OwnerContext, tracker_id: string): Promise<void> {
  const own = where.and(where.eq('tracker_id', tracker_id), where.eq('duplicate_of', null))
  const mentions_total = await ctx.rows(Mention).count(own)
  await ctx.rows(BrandTracker).update(tracker_id, { mentions_total })
}
