import { expect, test } from 'bun:test'
import { draftChannel, lengthWarning } from '../../../../plugins/leads/drafts/channel-rules'

test.each([
  ['bluesky', 300, null],
  ['bluesky', 499, 'This reply has 499 characters. Bluesky accepts at most 300.'],
  ['mastodon', 451, 'This reply has 451 characters. Mastodon accepts at most 450.'],
  ['forum', 2_000, null],
] as const)('A reply on %s of %d characters', (channel, length, warning) => {
  expect(lengthWarning('a'.repeat(length), draftChannel(channel, []))).toBe(warning)
})

test('A family emoji counts as one character', () => {
  expect(lengthWarning('👨‍👩‍👧'.repeat(300), draftChannel('bluesky', []))).toBeNull()
})
