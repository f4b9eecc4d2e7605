import { dayMs, hourMs, messageOf, type OwnerContext, type Row, where } from 'renown'
import { type EvidenceRule, isProven, isSameWords } from 'renown/sources'
import { Mention } from '../records/Mention'
import { policyOf } from '../sources/policy'
import { recheckSource } from '../sources/read-source'
import type { FoundPost, MentionSource, Recheck } from '../sources/source'
import type { ActiveTrackers } from './active-trackers'
import { shownWords, textChanges, unmatchedChanges } from './edits'
import { type Looker, lookDays, lookerOf, nextLook } from './looks'
import { dropReasons, removeGone, removeText } from './removal'

/** Posts that are looked at with one call. */
const batch = 50
/** Mentions of one source that are looked at in one run. The others wait for the next one. */
const dueMax = 1_000
/** A mention that was stored by an earlier version has no `keep_until`. Its text goes this long after the look that was due. */
const graceMs = dayMs

type MentionRow = Row<typeof Mention>
/** A source by which mentions were found, with its terms, also if its plugin is gone. */
export type SourceWithTerms = Pick<MentionSource, 'name' | 'policy'>

interface Look {
  readonly source: SourceWithTerms
  readonly active: ActiveTrackers
  readonly signal: AbortSignal
}

/** Without a declaration: what the source says of one post counts, and a post that is only missing needs a second look. */
const usualEvidence: Readonly<Record<'gone' | 'missing', Pick<EvidenceRule, 'readings'>>> = {
  gone: { readings: 1 },
  missing: { readings: 2 },
}

/**
 * Looks at the due mentions of a source again, and follows edits and deletions. A deletion counts when the platform says so, or when
 * two looks an hour apart do not find the post. When many posts are gone at once, the second look is needed too.
 */
export async function lookAgain(ctx: OwnerContext, look: Look): Promise<void> {
  const { source, signal } = look
  const due = await ctx.rows(Mention).list({
    where: where.and(
      where.eq('found_by', source.name),
      where.eq('removal_rule', null),
      where.lte('recheck_at', ctx.now().toISOString()),
    ),
    sort: [{ field: 'recheck_at', direction: 'asc' }],
    limit: dueMax,
  })
  const byLooker = new Map<MentionSource | null, Seen[]>()
  for (const row of due) {
    const looker = lookerOf(ctx, row)
    const of = byLooker.get(looker?.source ?? null) ?? []
    of.push({ row, looker })
    byLooker.set(looker?.source ?? null, of)
  }
  for (const [looker, seen] of byLooker) {
    const answers = looker === null ? new Map() : await askAll(ctx, looker, seen, signal)
    await follow(ctx, look, seen, answers)
  }
}

/** A mention, and who looks at it. */
interface Seen {
  readonly row: MentionRow
  readonly looker: Looker | null
}
type Answers = ReadonlyMap<string, Recheck>

async function askAll(
  ctx: OwnerContext,
  source: MentionSource,
  seen: readonly Seen[],
  signal: AbortSignal,
): Promise<Answers> {
  const ids = [...new Set(seen.flatMap(({ looker }) => looker?.id ?? []))]
  const answers = new Map<string, Recheck>()
  for (let at = 0; at < ids.length; at += batch) {
    try {
      const found = await recheckSource(ctx, source, ids.slice(at, at + batch), signal)
      for (const one of found) answers.set(one.source_id, one)
    } catch (error) {
      signal.throwIfAborted()
      ctx.log.warn('mentions could not be looked at again', {
        source: source.name,
        error: messageOf(error),
      })
      // The others wait for the next run, so that a source that asks for less is asked for less.
      return answers
    }
  }
  return answers
}

async function follow(ctx: OwnerContext, look: Look, seen: readonly Seen[], answers: Answers): Promise<void> {
  const touched = new Set<string>()
  for (const { row, looker } of seen) {
    const answer = looker === null ? undefined : answers.get(looker.id)
    if (answer && answer.state !== 'found' && row.removed_at_source_at === undefined)
      touched.add(answer.source_id)
  }
  const share = { touched: touched.size, held: answers.size }
  for (const { row, looker } of seen) {
    const answer = looker === null ? undefined : answers.get(looker.id)
    if (!looker || !answer) await followSilence(ctx, look.source, row)
    else if (answer.state === 'found') await followFound(ctx, look, { row, looker }, answer)
    else await followGone(ctx, look, { row, looker }, { state: answer.state, share })
  }
}

/** Nobody answered for a mention. Its text goes when its terms allow no more waiting. */
async function followSilence(ctx: OwnerContext, source: SourceWithTerms, row: MentionRow): Promise<void> {
  const now = ctx.now().getTime()
  if (policyOf(source, row.source).recheck_days !== null) {
    const until = row.keep_until ?? new Date(Date.parse(row.recheck_at ?? '') + graceMs).toISOString()
    if (Date.parse(until) <= now) await removeText(ctx, row, 'recheck_days')
    return
  }
  const isOver = Date.parse(row.discovered_at) + (lookDays + 1) * dayMs <= now
  if (isOver) await ctx.rows(Mention).update(row.id, { recheck_at: undefined })
}

type Found = Extract<Recheck, { readonly state: 'found' }>

/** The source shows the post: its edits are followed, and an earlier doubt ends. */
async function followFound(
  ctx: OwnerContext,
  { source, active }: Look,
  { row, looker }: Seen,
  { post }: Found,
): Promise<void> {
  const next = { recheck_at: undefined, ...nextLook(ctx, source, row), missing_since: undefined }
  const words = {
    ...shownWords(row, post),
    ...(post.edited_at === undefined ? {} : { edited_at: post.edited_at }),
  }
  const isOwn = looker?.source.name === row.found_by
  const { redact } = await ctx.erasedPeople(row.workspace_id)
  const author = redact(post.author)
  const changes = {
    ...next,
    ...(isOwn && author ? { author } : {}),
    ...(editOf(active, row, redact(words), isOwn, ctx.now()) ?? {}),
  }
  if ('unmatched_at' in changes) await dropReasons(ctx, row)
  const unchanged = where.and(
    where.eq('id', row.id),
    where.eq('removal_rule', null),
    where.eq('body_version', row.body_version ?? null),
  )
  await ctx.rows(Mention).updateWhere(unchanged, changes)
}

type Words = Pick<FoundPost, 'title' | 'body' | 'edited_at'>

/** Returns what an edit changes. Null if there was none. */
function editOf(active: ActiveTrackers, row: MentionRow, words: Words, isOwn: boolean, now: Date) {
  // The way that shows one post can write spaces and quotes in another way than its search.
  const isSame = isSameWords(joined(row), joined(words))
  if (isSame && row.removed_at_source_at === undefined) return null
  const unmatched = unmatchedChanges(active, row, words, now)
  if (unmatched !== null) return unmatched
  // A search engine or a feed has only a part of the post, so other words are no edit.
  if (!isOwn && row.removed_at_source_at === undefined) return null
  const changes = textChanges(row, words, now)
  if (changes === null || row.unmatched_at === undefined) return changes
  return { ...changes, ...matchOf(active, row, words) }
}

const joined = ({ title, body }: { readonly title?: string | undefined; readonly body: string }) =>
  `${title ?? ''}\n${body}`

/** The author wrote the name into the post again. */
function matchOf(active: ActiveTrackers, row: MentionRow, { title, body }: Words) {
  const post = { title, body, source: row.source, url: row.url, language: row.language, author: row.author }
  const match = active.matcher.match(post).find(({ tracker_id }) => tracker_id === row.tracker_id)
  return match ? { matched_keywords: [...match.keywords], unmatched_at: undefined } : {}
}

/** The source says that the post was deleted, or does not have it. */
async function followGone(
  ctx: OwnerContext,
  { source }: Look,
  { row, looker }: Seen,
  {
    state,
    share,
  }: {
    readonly state: 'gone' | 'missing'
    readonly share: { readonly touched: number; readonly held: number }
  },
): Promise<void> {
  const now = ctx.now()
  const rule = looker?.source.evidence?.[state] ?? usualEvidence[state]
  const reading = { at: now.toISOString(), firstAt: row.missing_since, ...share }
  if (row.removed_at_source_at !== undefined || isProven(rule, reading)) {
    const next = { recheck_at: undefined, keep_until: undefined, ...nextLook(ctx, source, row) }
    await removeGone(ctx, source, row, { ...next, is_gone_by_look: true })
    return
  }
  await ctx.rows(Mention).update(row.id, {
    missing_since: row.missing_since ?? now.toISOString(),
    recheck_at: new Date(now.getTime() + hourMs).toISOString(),
  })
}
