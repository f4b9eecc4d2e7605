import { dayMs, nullIfConflict, type OwnerContext, type Row, where } from 'renown'
import type { MentionJudgement } from '../judging/judgement'
import { publishLead } from '../records/events'
import { Lead } from '../records/Lead'
import { Mention } from '../records/Mention'
import { leadSettings } from '../settings'
import type { SourcePolicy } from '../sources/source'
import { type Contact, readContacts } from './contacts'

/** `duplicate_of` and `removed_at_source_at` say that another mention counts instead, or none. */
type MentionRow = Row<typeof Mention> & {
  readonly duplicate_of?: string
  readonly removed_at_source_at?: string
}
type LeadRow = Row<typeof Lead>

/** A judged mention, the business, and what the source allows. */
export interface DispatchInput {
  readonly mention: MentionRow
  readonly location: { readonly city?: string | undefined; readonly country?: string | undefined }
  readonly judgement: Pick<MentionJudgement, 'relevance' | 'intent'>
  readonly policy: Pick<SourcePolicy, 'may_link_identity' | 'may_extract_contact' | 'may_store_author'>
}

/** The result: a new lead, the lead of the same author, or none with the reason. */
export type Dispatch =
  | { readonly state: 'created' | 'joined' | 'unchanged'; readonly lead_id: string }
  | { readonly state: 'none'; readonly why: 'irrelevant' | 'duplicate' | 'removed' | 'no_intent' }

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
  if (mention.lead_id !== undefined && mention.is_lead)
    return { state: 'unchanged', lead_id: mention.lead_id }
  if (mention.removed_at_source_at !== undefined) return { state: 'none', why: 'removed' }
  if (mention.duplicate_of !== undefined) return { state: 'none', why: 'duplicate' }
  if (judgement.relevance === 'irrelevant') return { state: 'none', why: 'irrelevant' }
  const author_key = authorKey(mention, policy)
  if (author_key !== null && mention.author_key !== author_key) {
    await ctx.rows(Mention).update(mention.id, { author_key })
  }
  const repeated = await repeatedPosts(ctx, mention, author_key)
  const isClear = judgement.intent.score >= leadSettings.of(ctx).LEAD_INTENT_MIN
  const isRepeated = repeated !== null && !judgement.intent.reasons.some(({ kind }) => opposing.has(kind))
  if (!isClear && !isRepeated) return { state: 'none', why: 'no_intent' }
  const row = await leadOf(ctx, input, author_key, isClear ? null : repeated)
  const created = await ctx.rows(Lead).insert(row).catch(nullIfConflict)
  const lead = created ?? (await join(ctx, row))
  // A process that ended in between has created the lead of this mention without publishing it.
  if (lead.mention_id === mention.id) await publishLead(ctx, lead)
  await ctx.rows(Mention).update(mention.id, { is_lead: true, lead_id: lead.id })
  return { state: created ? 'created' : 'joined', lead_id: lead.id }
}

type DispatchedLead = Omit<LeadRow, 'id' | 'created_date' | 'updated_date'> & {
  readonly dispatch_key: string
}

async function leadOf(
  ctx: OwnerContext,
  { mention, location, judgement, policy }: DispatchInput,
  author_key: string | null,
  repeated: number | null,
): Promise<DispatchedLead> {
  const { intent } = judgement
  const contacts = policy.may_extract_contact ? await readContacts(mention, location) : []
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
    ...contactValues(contacts),
    ...(contacts.length === 0 ? {} : { contacts: contacts.map(evidenceOf) }),
    ...staleness(mention, ctx.now(), leadSettings.of(ctx).LEAD_STALE_POST_FLAG_DAYS),
    ...(mention.posted_at === undefined ? {} : { mention_posted_at: mention.posted_at }),
    dispatch_key: author_key ?? keyOf('post', mention.location_id, mention.source, mention.source_id),
    is_dispatched: true,
  }
}

const contactValues = (contacts: readonly Contact[]) =>
  Object.fromEntries(contacts.map(({ field, value }) => [field, value])) as Partial<
    Record<Contact['field'], string>
  >

const evidenceOf = ({ field, start, end, in: within }: Contact) => ({ field, in: within, start, end })

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

/** Joins the lead with the same key: raises its score and fills in contact details that it does not have. */
async function join(ctx: OwnerContext, row: DispatchedLead): Promise<LeadRow> {
  const rows = ctx.rows(Lead)
  const [lead] = await rows.list({
    where: where.and(
      where.eq('workspace_id', row.workspace_id),
      where.eq('is_dispatched', true),
      where.eq('dispatch_key', row.dispatch_key),
    ),
    limit: 1,
  })
  if (!lead)
    throw new Error('The lead of this author was removed at the same time. The next attempt makes a new one')
  const missing = (row.contacts ?? []).filter(({ field }) => lead[field] === undefined)
  if (missing.length > 0 && lead.mention_id === row.mention_id) {
    const values = Object.fromEntries(missing.map(({ field }) => [field, row[field]]))
    await rows.update(lead.id, { ...values, contacts: [...(lead.contacts ?? []), ...missing] })
  }
  if (row.intent_score > lead.intent_score) {
    const lower = where.and(where.eq('id', lead.id), where.lt('intent_score', row.intent_score))
    const { intent_score, intent_reason, intent_method } = row
    await rows.updateWhere(lower, { intent_score, intent_reason, intent_method })
  }
  return lead
}
