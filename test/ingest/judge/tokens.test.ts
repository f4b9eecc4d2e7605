import { expect, test } from 'bun:test'
import { createTokens } from '../../../ingest/judge/tokens'

test('tokens that share no beginning are all found', () => {
  const find = createTokens(['ab', 'cd', 'e'])
  expect(['ab', 'cd', 'e', 'a', 'abx', 'x ab', 'AB'].map(find)).toEqual([0, 1, 2, -1, -1, 0, 0])
})

test('a token stands between characters that are neither letters nor digits, and the leftmost counts', () => {
  const find = createTokens(['bot', 'bot-x', 'a'])
  expect(['bot/1', '1bot', 'zbot', 'bot9', '(bot)', '_bot_'].map(find)).toEqual([0, -1, -1, -1, 0, 0])
  expect(['bot-x', 'bot-y', 'a bot', 'bot a'].map(find)).toEqual([1, 0, 2, 0])
  expect(['', ' ', 'é bot', 'ébot'].map(find)).toEqual([-1, -1, 0, 0])
})

test('a token that is not ASCII is refused', () => {
  expect(() => createTokens(['böt'])).toThrow('a token is not ASCII')
})
