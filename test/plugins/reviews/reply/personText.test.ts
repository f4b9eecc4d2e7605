import { describe, expect, test } from 'bun:test'
import { isSameReply, isSameTyping, personText } from '../../../../plugins/reviews/reply/personText'

describe('the reply of a person', () => {
  test.each([
    ['Thank you', 'Thank you'],
    [' \n Thank you\t\n', 'Thank you'],
    ['one\r\ntwo\rthree\n\nfour\tfive', 'one\ntwo\nthree\n\nfour\tfive'],
    ['Cafe\u0301', 'Caf\u00e9'],
    ['👩\u200d🍳', '👩\u200d🍳'],
    ['x'.repeat(4_000), 'x'.repeat(4_000)],
    ['é'.repeat(4_000), 'é'.repeat(4_000)],
    ['€'.repeat(2_666), '€'.repeat(2_666)],
  ])('is published as it is written, without the space around it: %j', (text, published) => {
    expect<string>(personText(text, {})).toBe(published)
  })

  test.each([
    ['', 'must not be empty'],
    [' \n\u200b\u2060\ufeff ', 'must not be empty'],
    ['x'.repeat(4_001), 'must have at most 4000 characters'],
    ['€'.repeat(2_667), 'must have at most 8000 bytes on this platform'],
    ['ring\u0007', 'holds characters that cannot be shown'],
    ['a\u0000b', 'holds characters that cannot be shown'],
    ['a\u0085b', 'holds characters that cannot be shown'],
    ['a\u202eb', 'holds characters that cannot be shown'],
    ['a\u202db', 'holds characters that cannot be shown'],
  ])('is refused with the field and the reason: %j', (text, why) => {
    const refused = () => personText(text, {})
    expect(refused).toThrow(`The reply ${why}.`)
    try {
      refused()
    } catch (error) {
      expect(error).toMatchObject({
        code: 'invalid_field',
        details: { errors: [{ pointer: '/text', code: 'invalid', message: why }] },
      })
    }
  })

  test('may have as many bytes as the platform takes', () => {
    expect<string>(personText('ééé', { bytesMax: 6 })).toBe('ééé')
    expect(() => personText('éééa', { bytesMax: 6 })).toThrow('at most 6 bytes')
    expect<string>(personText('€'.repeat(2_667), { bytesMax: 9_000 })).toHaveLength(2_667)
  })
})

test('two replies are the same where their words are', () => {
  expect(isSameReply('Thank\n\nyou ', 'Thank you')).toBe(true)
  expect(isSameReply('Cafe\u0301', 'Caf\u00e9')).toBe(true)
  expect(isSameReply('Thank you', 'Thankyou')).toBe(false)
  expect(isSameReply('Thank you', 'thank you')).toBe(false)
})

test('a text that a person corrects is not the one that a platform escaped', () => {
  expect(isSameReply('Tea & cake', 'Tea &amp;amp; cake')).toBe(true)
  expect(isSameTyping('Tea & cake', 'Tea &amp;amp; cake')).toBe(false)
  expect(isSameTyping(' Cafe\u0301 \r\n\t two  ', 'Caf\u00e9 two')).toBe(true)
})
