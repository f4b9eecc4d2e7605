import { dayMs, nullIfConflict, type OwnerContext, type Row, where } from 'renown'
import type { MentionJudgement } from '../judging/judgement'
import { publishLead } from '../records/events'
import { Lead } from '../records/Lead'
import { Mention } from '../records/Mention'
import { leadSettings } from '../settings'
import type { SourcePolicy } from '../sources/source'
import type { BusinessFacts } from './business-details'
import { type Contact, readContacts } from './contacts'
import { detailsOf, setDetails } from './lead-details'

/** `duplicate_of` and `removed_at_source_at` say that another mention counts instead, or none. */
type MentionRow = Row<typeof Mention> & {
  readonly duplicate_of?: string
  readonly removed_at_source_at?: string
}
type LeadRow = Row<typeof Lead>

/** A judged mention, the business, and what the source allows. */
export interface DispatchInput {
  readonly mention: MentionRow
  readonly location: BusinessFacts
  readonly judgement: Pick<MentionJudgement, 'relevance' | 'intent'>
  readonly policy: Pick<SourcePolicy, 'may_link_identity' | 'may_extract_contact' | 'may_store_author'>
}

/** The result: a new lead, the lead of the same author, or none with the reason. */
export type Dispatch =
  | { readonly state: 'created' | 'joined' | 'unchanged'; readonly lead_id: string }
  | {
      readonly state: 'none'
      readonly why: 'irrelevant' | 'not_judged' | 'duplicate' | 'removed' | 'no_intent'
    }

const authorWindowDays = 90
/** Reasons that make repeated posts of an author no sign of interest. */
const opposing = new Set(['sells', 'job_offer', 'recommends', 'solved'])

/**
 * Makes a lead of a mention with enough intent, or of the third mention of its author. Mentions of one author on one
 * source join one lead, if the source allows linking them. The key of a lead is unique, so that two processes cannot
 * make two. Can be repeated: a mention that has a lead keeps it.
 */
export async function dispatchLead(ctx: OwnerContext, input: DispatchInput): Promise<Dispatch> {
  const { mention, judgement, policy } = input
  if (mention.lead_id !== undefined && mention.is_lead) {
    // An edited text can have other details.
    await setDetails(ctx, mention.lead_id, mention.id, await contactsIn(input))
    await addReason(ctx, input, mention.lead_id)
    return { state: 'unchanged', lead_id: mention.lead_id }
  }
  if (mention.removed_at_source_at !== undefined) return { state: 'none', why: 'removed' }
  if (judgement.relevance === 'irrelevant') return { state: 'none', why: 'irrelevant' }
  // Only a person makes a lead of a post that nobody judged.
  if (judgement.relevance === null) return { state: 'none', why: 'not_judged' }
  const author_key = authorKey(mention, policy)
  if (mention.duplicate_of !== undefined) {
    await addToLead(ctx, input, author_key)
    return { state: 'none', why: 'duplicate' }
  }
  if (author_key !== null && mention.author_key !== author_key) {
    await ctx.rows(Mention).update(mention.id, { author_key })
  }
  const repeated = await repeatedPosts(ctx, mention, author_key)
  const isClear = judgement.intent.score >= leadSettings.of(ctx).LEAD_INTENT_MIN
  const isRepeated = repeated !== null && !judgement.intent.reasons.some(({ kind }) => opposing.has(kind))
  if (!isClear && !isRepeated) {
    await addToLead(ctx, input, author_key)
    return { state: 'none', why: 'no_intent' }
  }
  const row = await leadOf(ctx, input, author_key, isClear ? null : repeated)
  const created = await ctx.rows(Lead).insert(row).catch(nullIfConflict)
  const lead = created ?? (await join(ctx, row))
  if (!created) await setDetails(ctx, lead.id, mention.id, await contactsIn(input))
  // A process that ended in between has created the lead of this mention without publishing it.
  if (lead.mention_id === mention.id) await publishLead(ctx, lead)
  await ctx.rows(Mention).update(mention.id, { is_lead: true, lead_id: lead.id })
  return { state: created ? 'created' : 'joined', lead_id: lead.id }
}

/** A lead lost its reasons with the words of its post, which is there again. */
async function addReason(
  ctx: OwnerContext,
  { mention, judgement }: DispatchInput,
  id: string,
): Promise<void> {
  const { reason } = judgement.intent
  if (reason === '') return
  const own = where.and(
    where.eq('id', id),
    where.eq('mention_id', mention.id),
    where.eq('intent_reason', null),
  )
  await ctx.rows(Lead).updateWhere(own, { intent_reason: reason })
}

const contactsIn = async ({ mention, location, policy }: DispatchInput): Promise<readonly Contact[]> =>
  policy.may_extract_contact ? await readContacts(mention, location) : []

/** Adds a post that does not make a lead itself to the lead of its author, with the details in it. */
async function addToLead(ctx: OwnerContext, input: DispatchInput, author_key: string | null): Promise<void> {
  const { mention } = input
  const lead = author_key === null ? null : await leadWithKey(ctx, mention.workspace_id, author_key)
  if (lead === null) return
  // The mention first: the deletion of its text finds the lead by it.
  if (mention.lead_id !== lead.id) await ctx.rows(Mention).update(mention.id, { lead_id: lead.id })
  await setDetails(ctx, lead.id, mention.id, await contactsIn(input))
}

type DispatchedLead = Omit<LeadRow, 'id' | 'created_date' | 'updated_date'> & {
  readonly dispatch_key: string
}

async function leadOf(
  ctx: OwnerContext,
  input: DispatchInput,
  author_key: string | null,
  repeated: number | null,
): Promise<DispatchedLead> {
  const { mention, judgement } = input
  const { intent } = judgement
  const contacts = await contactsIn(input)
  const reason =
    repeated === null ? intent.reason : `${repeated} posts of this author. ${intent.reason}`.trim()
  return {
    workspace_id: mention.workspace_id,
    mention_id: mention.id,
    tracker_id: mention.tracker_id,
    location_id: mention.location_id,
    intent_score: intent.score,
    ...(reason === '' ? {} : { intent_reason: reason }),
    intent_method: repeated === null ? intent.method : `author.mentions@1, ${intent.method}`,
    stage: 'new',
    source: mention.source,
    is_archived: false,
    ...detailsOf(contacts),
    ...staleness(mention, ctx.now(), leadSettings.of(ctx).LEAD_STALE_POST_FLAG_DAYS),
    ...(mention.posted_at === undefined ? {} : { mention_posted_at: mention.posted_at }),
    dispatch_key: author_key ?? keyOf('post', mention.location_id, mention.source, mention.source_id),
    is_dispatched: true,
  }
}

/** Whether the post was old when it was found, and its age now. Set once, when the lead is made. Nothing if its date is unknown. */
export function staleness(
  { posted_at, discovered_at }: Pick<MentionRow, 'posted_at' | 'discovered_at'>,
  now: Date,
  days: number,
): Pick<LeadRow, 'stale_post' | 'stale_post_age_days'> {
  if (posted_at === undefined) return {}
  const posted = Date.parse(posted_at)
  return {
    stale_post: Date.parse(discovered_at) - posted > days * dayMs,
    stale_post_age_days: Math.max(0, Math.floor((now.getTime() - posted) / dayMs)),
  }
}

/** Identifies the author on the source, for this business only. Null if the source forbids linking posts. */
function authorKey(
  { location_id, source, author }: MentionRow,
  { may_link_identity, may_store_author }: DispatchInput['policy'],
): string | null {
  const handle = author.handle.replace(/^@/, '').trim().toLowerCase()
  if (!may_link_identity || !may_store_author || handle === '') return null
  return keyOf('author', location_id, source, handle)
}

const keyOf = (...parts: string[]) =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32)

/** Returns the number of posts of the author if they are enough for a lead. Null otherwise. */
async function repeatedPosts(
  ctx: OwnerContext,
  mention: MentionRow,
  author_key: string | null,
): Promise<number | null> {
  const min = leadSettings.of(ctx).LEAD_AUTHOR_MENTIONS_MIN
  if (author_key === null || min === 0) return null
  const since = new Date(ctx.now().getTime() - authorWindowDays * dayMs).toISOString()
  const rows: MentionRow[] = await ctx.rows(Mention).list({
    where: where.and(
      where.eq('workspace_id', mention.workspace_id),
      where.eq('author_key', author_key),
      where.gte('posted_at', since),
    ),
    limit: 100,
  })
  // The same post can be found by several trackers.
  const posts = new Set(
    rows
      .filter(({ status, relevance, duplicate_of }) => {
        return status !== 'dismissed' && relevance !== 'irrelevant' && duplicate_of === undefined
      })
      .map(({ source_id }) => source_id),
  )
  posts.add(mention.source_id)
  return posts.size >= min ? posts.size : null
}

/** Returns the lead that Renown made with this key. Null if there is none. */
async function leadWithKey(
  ctx: OwnerContext,
  workspace_id: string,
  dispatch_key: string,
): Promise<LeadRow | null> {
  const [lead] = await ctx.rows(Lead).list({
    where: where.and(
      where.eq('workspace_id', workspace_id),
      where.eq('is_dispatched', true),
      where.eq('dispatch_key', dispatch_key),
    ),
    limit: 1,
  })
  return lead ?? null
}

/** Returns the lead with the same key, and raises its score. */
async function join(ctx: OwnerContext, row: DispatchedLead): Promise<LeadRow> {
  const lead = await leadWithKey(ctx, row.workspace_id, row.dispatch_key)
  if (!lead)
    throw new Error('The lead of this author was removed at the same time. The next attempt makes a new one')
  if (row.intent_score > lead.intent_score) {
    const lower = where.and(where.eq('id', lead.id), where.lt('intent_score', row.intent_score))
    const { intent_score, intent_reason, intent_method } = row
    await ctx.rows(Lead).updateWhere(lower, { intent_score, intent_reason, intent_method })
  }
  return lead
}
