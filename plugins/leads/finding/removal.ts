import { type OwnerContext, type Row, type RowChanges, where } from 'renown'
import { setDetails } from '../dispatch/lead-details'
import { groupsOf } from '../records/groups-of'
import { Lead } from '../records/Lead'
import { Mention, type removalRules } from '../records/Mention'
import { policyOf } from '../sources/policy'
import type { MentionSource } from '../sources/source'

type Rule = (typeof removalRules)[number]

/**
 * Removes everything that a person wrote from a mention and its leads. The row stays with its id, so that the post is
 * not found again, and with the rule, so that an export explains it.
 */
export async function removeText(
  ctx: OwnerContext,
  { id, lead_id }: Pick<Row<typeof Mention>, 'id' | 'lead_id'>,
  rule: Rule,
): Promise<void> {
  // The lead first: after a kill in between, the rule is not yet set and the next run removes both.
  await ctx.rows(Lead).updateMany(where.eq('mention_id', id), leadWithoutText)
  // A lead that was found in an earlier post of the author can have details of this one.
  if (lead_id !== undefined) await setDetails(ctx, lead_id, id)
  const isGone = rule === 'retention_days' ? {} : { removed_at_source_at: ctx.now().toISOString() }
  await ctx.rows(Mention).update(id, { ...mentionWithoutText, ...isGone, removal_rule: rule })
}

const mentionWithoutText = {
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
  suggested_reply: undefined,
  previous_reply: undefined,
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
): Promise<void> {
  if (policyOf(source, row.source).delete_with_source) await removeText(ctx, row, 'delete_with_source')
  else if (row.removed_at_source_at === undefined) {
    await ctx.rows(Mention).update(row.id, { removed_at_source_at: ctx.now().toISOString() })
  }
}
