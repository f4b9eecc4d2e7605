import type { Row } from 'renown'
import type { Lead } from './Lead'
import type { Mention } from './Mention'

type Removed = Pick<Row<typeof Mention>, 'removal_rule' | 'removed_at_source_at'>
type Words = Partial<
  Pick<Row<typeof Mention>, 'title' | 'body' | 'excerpt' | 'relevance_reason' | 'intent_reason'>
>

/**
 * Returns a mention as it may be shown: without the words of a post that was deleted at its source. Looks remove them from the
 * store. An import can bring them until the next look.
 */
export function shownMention<M extends Words & Removed>(mention: M): M {
  if (!isRemoved(mention)) return mention
  const { title: _, relevance_reason: __, intent_reason: ___, ...rest } = mention
  return { ...rest, body: '', excerpt: '' } as M
}

/** Returns a lead without reasons that quote a deleted post. */
export function shownLead<L extends Partial<Pick<Row<typeof Lead>, 'intent_reason'>>>(
  lead: L,
  mention: Removed | null,
): L {
  if (mention === null || !isRemoved(mention)) return lead
  const { intent_reason: _, ...rest } = lead
  return rest as L
}

/** Whether the words of a mention were removed, or must not be shown any more. */
export const isRemoved = ({ removal_rule, removed_at_source_at }: Removed): boolean =>
  removal_rule !== undefined || removed_at_source_at !== undefined
