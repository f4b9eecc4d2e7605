import { type OwnerContext, where } from 'renown'
import { Mention } from '../records/Mention'
import { type Learned, learnFrom } from './learned-words'

/** The newest decisions of each kind that count. */
const decisionsMax = 300

/**
 * Reads the decisions about a tracker's mentions: dismissed, and kept (saved or replied). The counts are made from
 * the mentions, so that restoring or deleting a mention takes back what it taught.
 */
export async function readLearned(ctx: Pick<OwnerContext, 'rows'>, trackerId: string): Promise<Learned> {
  const read = (...statuses: string[]) =>
    ctx.rows(Mention).list({
      where: where.and(where.eq('tracker_id', trackerId), where.in('status', statuses)),
      sort: [{ field: 'created_date', direction: 'desc' }],
      limit: decisionsMax,
    })
  const [dismissed, kept] = await Promise.all([read('dismissed'), read('saved', 'replied')])
  const decided = (isDismissed: boolean) => (row: { readonly title?: string; readonly body: string }) => ({
    title: row.title,
    body: row.body,
    isDismissed,
  })
  return learnFrom([...dismissed.map(decided(true)), ...kept.map(decided(false))])
}
