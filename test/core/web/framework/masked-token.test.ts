import { expect, test } from 'bun:test'
import { maskToken, unmaskToken } from '../../../../core/web/framework/masked-token'

const token = '0123456789abcdef'.repeat(4)

test('a token under a mask is another text in every answer, and the same token', () => {
  const masked = Array.from({ length: 8 }, () => maskToken(token))
  expect(new Set(masked).size).toBe(8)
  for (const one of masked) {
    expect(one).not.toContain(token)
    expect(unmaskToken(one)).toBe(token)
  }
})

test('a text that is no masked token comes back as it is, and no text is unmasked to another token', () => {
  for (const text of ['', token, 'x'.repeat(128), `${maskToken(token)}0`])
    expect(unmaskToken(text)).toBe(text)
  const [first = ''] = maskToken(token)
  const changed = `${first === '0' ? '1' : '0'}${maskToken(token).slice(1)}`
  expect(unmaskToken(changed).length).toBe(64)
})
