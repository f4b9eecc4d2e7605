import { expect, test } from 'bun:test'
import { approvalOf, stateOf } from '../../../../plugins/posts/pages/post-states'

const now = new Date('2026-11-28T12:00:00.000Z')
type Stated = Parameters<typeof stateOf>[0]
const shown = (post: Partial<Stated> & Pick<Stated, 'status'>) => {
  const { word, tone } = stateOf(post as Stated, now)
  return `${word}, ${tone}`
}
const before = (ms: number) => new Date(now.getTime() - ms).toISOString()

test.each<[Stated['status'], string]>([
  ['draft', 'Draft, plain'],
  ['scheduled', 'Scheduled, warn'],
  ['publishing', 'Publishing, warn'],
  ['published', 'Published, good'],
  ['cancelled', 'Cancelled, plain'],
  ['failed', 'Failed, bad'],
])('a post that is %s is %s', (status, words) => {
  expect(shown({ status })).toBe(words)
})

test('a post that failed says how', () => {
  const kinds = ['held_by_platform', 'unknown_outcome', 'missed', 'not_allowed', 'rejected'] as const
  expect(kinds.map((failure_kind) => shown({ status: 'failed', failure_kind }))).toEqual([
    'Held back, bad',
    'Unknown, bad',
    'Missed, bad',
    'Not published, bad',
    'Failed, bad',
  ])
  // What an earlier try left counts no more.
  expect(shown({ status: 'published', failure_kind: 'missed' })).toBe('Published, good')
})

test('a post is late more than five minutes after its time, and only while it is scheduled', () => {
  const scheduled = (ms: number) => shown({ status: 'scheduled', scheduled_at: before(ms) })
  expect([scheduled(300_000), scheduled(300_001), scheduled(-1)]).toEqual([
    'Scheduled, warn',
    'Late, bad',
    'Scheduled, warn',
  ])
  expect(shown({ status: 'publishing', scheduled_at: before(9_000_000) })).toBe('Publishing, warn')
})

test('a post that its platform holds, or that stands there twice, says so', () => {
  const held_since = before(1)
  expect(shown({ status: 'publishing', held_since })).toBe('Held back, warn')
  expect(shown({ status: 'published', held_since })).toBe('Published, good')
  expect(shown({ status: 'published', duplicate_urls: ['https://a.example'] })).toBe('Published twice, bad')
  expect(shown({ status: 'published', duplicate_urls: [] })).toBe('Published, good')
  expect(shown({ status: 'cancelled', duplicate_urls: ['https://a.example'] })).toBe('Cancelled, plain')
})

test('the mark of a client has its words, and none is none', () => {
  const words = (approval?: Stated['approval']) =>
    approvalOf({ status: 'draft', approval } as Stated)?.word ?? null
  expect([words(), words('in_review'), words('approved'), words('rejected')]).toEqual([
    null,
    'In review',
    'Approved',
    'Rejected',
  ])
})
