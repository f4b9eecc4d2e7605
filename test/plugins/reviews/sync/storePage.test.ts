import { expect, test } from 'bun:test'
import { nobodyErased } from '../../../../core/tenancy/rights/erased-people'
import { begin, type SyncProgress } from '../../../../plugins/reviews/proof/progress'
import { storePage } from '../../../../plugins/reviews/sync/storePage'
import { part } from '../../../support/part'

const at = '2026-03-16T00:00:00.000Z'
const beginning = {
  id: 'syn_1',
  reader: 'job_1',
  full: false,
  repeat: 0,
  began_at: at,
  visible: 0,
  changed: 0,
}

/** What the task is told when a page without reviews is stored. */
async function told(changes: Partial<SyncProgress>, total: number | null): Promise<unknown[]> {
  const said: unknown[] = []
  const storing = {
    task: { progress: async (progress: unknown) => void said.push(progress) },
    chain: { seen: async () => false },
    location: {},
    source: { source: 'google' },
    random: () => 0,
    watermark: '',
    suspects: new Map(),
  }
  const progress = { ...begin(beginning as never), items: 7, ...changes }
  await storePage(
    part({ now: () => new Date(at), erasedPeople: async () => nobodyErased }),
    storing as never,
    part({ reviews: [], total }),
    progress,
  )
  return said
}

test('a task shows how far the reading is, and why it started again', async () => {
  expect(await told({}, null)).toEqual([{ done: 7 }])
  expect(await told({}, 12)).toEqual([{ done: 7, total: 12 }])
  expect(await told({ restart_reason: 'the page token had expired' }, null)).toEqual([
    { done: 7, note: 'Started again: the page token had expired' },
  ])
})
