import { expect, test } from 'bun:test'
import { type Where, where } from '../../../../core/contracts/where'
import { requeueReplies } from '../../../../plugins/reviews/due/dueReplies'

const chain = { workspace_id: 'wsp_1', location_id: 'loc_1', source: 'google' }
const now = new Date('2026-03-16T12:00:00.000Z')

/** What is looked up and queued again, where the store has one row of each condition. */
async function requeued(isConfigured: boolean, auto_response_scheduled_at?: string) {
  const lists: { where: Where; limit: number }[] = []
  const queued: [string, string][] = []
  const rows = {
    list: async (query: { where: Where; limit: number }) => {
      lists.push(query)
      const isFlagged = lists.length === 2
      return isFlagged
        ? []
        : [
            {
              id: `rev_${lists.length}`,
              workspace_id: 'wsp_1',
              analysis_due: true,
              auto_response_scheduled_at,
            },
          ]
    },
    async *each() {},
  }
  const ctx = {
    rows: () => rows,
    now: () => now,
    outbound: { model: { isConfigured } },
    enqueue: async (queue: string, { key }: { key: string }) => void queued.push([queue, key]),
  }
  await requeueReplies(ctx as never, chain)
  return { lists, queued }
}

test("pending replies of one platform's reviews are queued again once they are due", async () => {
  const due = [['send-reply', 'rev_1']]
  expect((await requeued(false)).queued as unknown[]).toEqual(due)
  expect((await requeued(false, now.toISOString())).queued as unknown[]).toEqual(due)
  expect((await requeued(false, '2026-03-16T11:59:59.999Z')).queued as unknown[]).toEqual(due)
  expect((await requeued(false, '2026-03-16T12:00:00.001Z')).queued).toEqual([])
})

test('only reviews of the platform and the workspace are looked up, and those to analyze if there is a model', async () => {
  const own = where.and(
    where.eq('workspace_id', 'wsp_1'),
    where.and(where.eq('location_id', 'loc_1'), where.eq('source', 'google')),
  )
  const { lists } = await requeued(false)
  expect(lists).toHaveLength(2)
  expect(lists[0]).toEqual({
    where: where.and(own, where.eq('auto_response_status', 'pending')),
    limit: 1_000,
  })
  expect(lists[1]?.limit).toBe(1_000)
  expect(JSON.stringify(lists[1]?.where)).toContain(JSON.stringify(own).slice(1, -2))
  const withModel = await requeued(true, '2027-01-01T00:00:00.000Z')
  expect(withModel.lists[2]).toEqual({ where: where.and(own, where.eq('analysis_due', true)), limit: 1_000 })
  expect(withModel.queued).toEqual([['analyse-review', 'rev_3']])
})
