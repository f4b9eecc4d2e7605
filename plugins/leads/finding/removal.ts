import { type OwnerContext, type Row, type RowChanges, where } from 'renown'
import { setDetails } from '../dispatch/lead-details'
import { groupsOf } from '../records/groups-of'
import { Lead } from '../records/Lead'
import { Mention, type removalRules } from '../records/Mention'
import { policyOf } from '../sources/policy'
import type { MentionSource } from '../sources/source'
import { hasQuote } from './quotes'

type Rule = (typeof removalRules)[number]

/**
 * Removes everything that a person wrote from a mention and its leads. The row stays with its id, so that the post is
 * not found again, and with the rule, so that an export explains it.
 */
export async function removeText(ctx: OwnerContext, row: Row<typeof Mention>, rule: Rule): Promise<void> {
  const { id, lead_id } = row
  // The lead first: after a kill in between, the rule is not yet set and the next run removes both.
  await ctx.rows(Lead).updateMany(where.eq('mention_id', id), leadWithoutText)
  // A lead that was found in an earlier post of the author can have details of this one.
  if (lead_id !== undefined) await setDetails(ctx, lead_id, id)
  await dropReasons(ctx, row)
  // Where the time was over, nobody said that the post is gone.
  const isGone = rule === 'delete_with_source' ? { removed_at_source_at: ctx.now().toISOString() } : {}
  await ctx.rows(Mention).update(id, { ...withoutText, ...withoutDrafts(row), ...isGone, removal_rule: rule })
}

/** Drafts that Renown wrote quote the post. Those that a person wrote are the person's work. */
const withoutDrafts = ({ suggested_reply_by, previous_reply }: Row<typeof Mention>) => ({
  ...(suggested_reply_by === 'caller' ? {} : { suggested_reply: undefined }),
  ...(previous_reply?.by === 'caller' ? {} : { previous_reply: undefined }),
})

/** Removes the reasons of leads that quote a mention: those of its own leads, and of one that it joined. */
export async function dropReasons(
  ctx: OwnerContext,
  { id, lead_id, intent_reason }: Pick<Row<typeof Mention>, 'id' | 'lead_id' | 'intent_reason'>,
): Promise<void> {
  const leads = ctx.rows(Lead)
  await leads.updateMany(where.eq('mention_id', id), { intent_reason: undefined })
  const joined = lead_id === undefined ? null : await leads.get(lead_id)
  if (joined && intent_reason !== undefined && joined.intent_reason?.includes(intent_reason))
    await leads.update(joined.id, { intent_reason: undefined })
}

/** Marks a mention as deleted at its source, and removes its words, so that they are shown nowhere. Its author stays, with the lead. */
export async function removeWords(
  ctx: OwnerContext,
  row: Row<typeof Mention>,
  more: RowChanges<typeof Mention> = {},
): Promise<void> {
  await dropReasons(ctx, row)
  const removed_at_source_at = row.removed_at_source_at ?? ctx.now().toISOString()
  const changes = { ...withoutWords, ...withoutQuotes(row), ...more, removed_at_source_at }
  await ctx.rows(Mention).update(row.id, changes)
}

/** Drafts that Renown wrote and that quote the post. Other drafts stay, and all that a person wrote. */
const withoutQuotes = (row: Row<typeof Mention>) => ({
  ...(row.suggested_reply_by !== 'caller' && hasQuote(row.suggested_reply, row)
    ? { suggested_reply: undefined }
    : {}),
  ...(row.previous_reply?.by !== 'caller' && hasQuote(row.previous_reply?.text, row)
    ? { previous_reply: undefined }
    : {}),
})

const withoutWords = {
  title: undefined,
  body: '',
  excerpt: '',
  relevance_reason: undefined,
  intent_reason: undefined,
  missing_since: undefined,
  replaced_text: undefined,
  is_judged: true,
} satisfies RowChanges<typeof Mention>

/** Removes the words of mentions that were marked as deleted while Renown still kept them, or by an import. */
export async function removeStoredWords(ctx: OwnerContext, signal: AbortSignal): Promise<void> {
  const kept = where.and(
    where.ne('removed_at_source_at', null),
    where.eq('removal_rule', null),
    where.or(where.ne('body', ''), where.ne('excerpt', ''), where.ne('title', null)),
  )
  for await (const row of ctx.rows(Mention).each({ where: kept, signal })) await removeWords(ctx, row)
}

/** The fields of a mention without its text and its author. */
export const withoutText = {
  title: undefined,
  body: '',
  excerpt: '',
  author: { handle: '' },
  parent_url: undefined,
  matched_keywords: [],
  relevance_reason: undefined,
  intent_reason: undefined,
  text_hash: undefined,
  recheck_at: undefined,
  keep_until: undefined,
  missing_since: undefined,
  replaced_text: undefined,
  author_key: undefined,
  is_judged: true,
} satisfies RowChanges<typeof Mention>

const leadWithoutText = {
  first_name: undefined,
  last_name: undefined,
  phone: undefined,
  email: undefined,
  suburb: undefined,
  postcode: undefined,
  intent_reason: undefined,
  contacts: undefined,
} satisfies RowChanges<typeof Lead>

/** Follows deletions at the source, as the policy says: without the text, or only with a mark. */
export async function removeDeleted(
  ctx: OwnerContext,
  source: Pick<MentionSource, 'name' | 'policy'>,
  ids: readonly string[],
): Promise<void> {
  for (const group of groupsOf(ids)) {
    const rows = await ctx.rows(Mention).list({
      where: where.and(
        where.eq('found_by', source.name),
        where.eq('removal_rule', null),
        where.in('source_id', group),
      ),
      limit: 10_000,
    })
    for (const row of rows) await removeGone(ctx, source, row)
  }
}

/** Follows the deletion of one post. */
export async function removeGone(
  ctx: OwnerContext,
  source: Pick<MentionSource, 'name' | 'policy'>,
  row: Row<typeof Mention>,
  more: RowChanges<typeof Mention> = {},
): Promise<void> {
  if (policyOf(source, row.source).delete_with_source) await removeText(ctx, row, 'delete_with_source')
  else if (row.removed_at_source_at === undefined) await removeWords(ctx, row, more)
  else if (Object.keys(more).length > 0) await ctx.rows(Mention).update(row.id, more)
}
