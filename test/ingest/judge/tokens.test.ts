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

test('any character but an ASCII letter or digit may stand beside a token', () => {
  const find = createTokens(['bot', '+x'])
  for (let code = 0; code < 400; code++) {
    const beside = String.fromCharCode(code)
    const expected = /[a-zA-Z0-9]/.test(beside) ? -1 : 0
    expect([code, find(`bot${beside}`), find(`${beside}bot`)]).toEqual([code, expected, expected])
  }
  expect(['bbot', 'botb', '++x', 'b+x', '-+x', '+bot'].map(find)).toEqual([-1, -1, 1, -1, 1, 0])
})

test('every ASCII character can be part of a token, in any case', () => {
  const tokens = Array.from({ length: 128 }, (_, code) => `=${String.fromCharCode(code)}=`)
  const find = createTokens(tokens)
  for (const [at, token] of tokens.entries()) {
    const same = tokens.findLastIndex((other) => other.toLowerCase() === token.toLowerCase())
    expect([at, find(token), find(`x ${token}`)]).toEqual([at, same, same])
  }
  expect(['==', '=', '=é=', '=\u0080='].map(find)).toEqual([-1, -1, -1, -1])
  for (const code of [0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xfffe, 0xffff]) {
    const other = String.fromCharCode(code)
    expect([code, find(`=${other}=`), find(`${other}=a=${other}`)]).toEqual([code, -1, find('=a=')])
  }
})

test('a text that only begins like a token, or has an unknown character first, has none', () => {
  const find = createTokens(['ab', 'abcd', 'ba'])
  expect(['abc', 'abcd', 'abcde', 'xb', 'zab', 'a', 'ab cd', 'a ba'].map(find)).toEqual([
    -1, 1, -1, -1, -1, -1, 0, 2,
  ])
  expect(createTokens([])('ab')).toBe(-1)
})

test('a token that is not ASCII is refused', () => {
  for (const token of ['böt', 'b\u0080t', '€'])
    expect(() => createTokens(['bot', token])).toThrow('a token is not ASCII')
})
