import type { Row } from '../../../../core/contracts/entity'
import { Lead } from '../../../../plugins/leads/records/Lead'
import type { Mention } from '../../../../plugins/leads/records/Mention'
import { mentionPages } from './mention-pages'

type LeadRow = Row<typeof Lead>

/** The product with an owner who is signed in, and leads with mentions that the test puts. */
export async function boardWorld() {
  const world = await mentionPages()
  let made = 0
  const lead = async (
    more: Partial<LeadRow> = {},
    post: Partial<Row<typeof Mention>> = {},
    workspaceId?: string,
  ): Promise<LeadRow> => {
    made++
    const { id, source, posted_at } = await world.mention({ is_lead: true, ...post }, workspaceId)
    const created_date = new Date(world.gate.owner.now().getTime() - made * 60_000).toISOString()
    const row = {
      mention_id: id,
      tracker_id: world.tracker.id,
      location_id: world.location.id,
      intent_score: 70,
      intent_reason: 'Asks for a recommendation.',
      stage: 'new',
      source,
      is_archived: false,
      mention_posted_at: posted_at,
      created_date,
      ...more,
    }
    const put = await world.gate.put(Lead, row as never, workspaceId)
    return put as unknown as LeadRow
  }
  return { ...world, lead, rowOf: (id: string) => world.gate.owner.rows(Lead).get(id) }
}
export type BoardWorld = Awaited<ReturnType<typeof boardWorld>>
