import { expect, test } from 'bun:test'
import { answerableAt, replySourceOf } from '../../../../plugins/reviews/reply/whyNoReply'
import { part } from '../../../support/part'

type Given = Parameters<typeof answerableAt>
const replies = { takes: (review: { star_rating?: number }) => review.star_rating !== 1 }
const google = { source: 'google', name: 'gbp', label: 'Google', order: 1, reads: () => true, replies }
const ctxOf = (...sources: readonly object[]) => ({ extensions: () => sources }) as unknown as Given[0]
const answered = (review: object = {}, location: object | null = {}, ctx = ctxOf(google)) =>
  answerableAt(
    ctx,
    { source: 'google', star_rating: 5, ...review } as Given[1],
    (location && { id: 'loc_1', is_demo: false, ...location }) as Given[2],
  ) as { why?: string; sender?: unknown; source?: { name: string } }

test('a review can be answered where its own platform is read and takes replies', () => {
  expect(answered()).toMatchObject({ source: { name: 'gbp' }, sender: replies })
  const any = { ...google, replies: {} }
  expect(answered({ star_rating: 1 }, {}, ctxOf(any)).sender).toBe(any.replies)
})

test('otherwise it says why, and what to do', () => {
  expect(answered({}, null).why).toBe('The location of this review no longer exists.')
  expect(answered({ removed_at_source_at: '2026-01-01T00:00:00.000Z' }).why).toBe(
    'Google no longer shows this review, so it cannot be answered.',
  )
  expect(answered({ star_rating: 1 }).why).toBe('Google takes no reply to this review.')
  const connect = 'Connect the account of this location at Google first: Settings, Connections.'
  for (const source of [
    { ...google, replies: undefined },
    { ...google, reads: () => false },
  ])
    expect(answered({}, {}, ctxOf(source)).why).toBe(connect)
  const facebook = { ...google, source: 'facebook', order: 0 }
  expect(answered({}, {}, ctxOf(google, facebook)).why).toBe(connect)
})

test('a demo answers inside this process, whatever is connected', () => {
  const source = replySourceOf(ctxOf(google), part({ is_demo: true }), { source: 'google' })
  expect(source).toMatchObject({ name: 'recorded', source: 'google', label: 'Google' })
  expect(answered({}, { is_demo: true }, ctxOf()).source).toMatchObject({ name: 'recorded' })
})
