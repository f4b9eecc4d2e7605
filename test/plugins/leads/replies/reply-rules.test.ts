import { expect, test } from 'bun:test'
import { isSameText } from '../../../../plugins/leads/replies/reply-rules'

test('a reply that a platform escaped has the same words', () => {
  expect(isSameText('Tea & cake', 'Tea &amp;amp; cake')).toBe(true)
  expect(isSameText('Tea & cake', 'tea\u00a0&#38; cake')).toBe(true)
  expect(isSameText('Tea & cake', 'Tea and cake')).toBe(false)
})
