import { where } from 'renown'
import { Mention } from '../records/Mention'
import type { MentionReads } from '../records/mention-reads'
import { type Learned, learnFrom } from './learned-words'

/** The newest decisions of each kind that count. */
const decisionsMax = 300

/**
 * Reads the decisions about a tracker's mentions: dismissed, and kept (saved or replied). The counts are made from
 * the mentions, so that restoring or deleting a mention takes back what it taught.
 */
export async function readLearned(
  ctx: MentionReads,
  { id, workspace_id }: { readonly id: string; readonly workspace_id: string },
): Promise<Learned> {
  // One status at a time: the index has an order for each. With several, all of them would be read and sorted.
  const read = (status: string) =>
    ctx.rows(Mention).list({
      where: where.and(
        where.eq('workspace_id', workspace_id),
        where.eq('tracker_id', id),
        where.eq('status', status),
      ),
      sort: [{ field: 'created_date', direction: 'desc' }],
      limit: decisionsMax,
    })
  const [dismissed, saved, replied] = await Promise.all(['dismissed', 'saved', 'replied'].map(read))
  const kept = [...(saved ?? []), ...(replied ?? [])]
    .toSorted((a, b) => (a.created_date < b.created_date ? 1 : -1))
    .slice(0, decisionsMax)
  const decided = (isDismissed: boolean) => (row: { readonly title?: string; readonly body: string }) => ({
    title: row.title,
    body: row.body,
    isDismissed,
  })
  return learnFrom([...(dismissed ?? []).map(decided(true)), ...kept.map(decided(false))])
}
