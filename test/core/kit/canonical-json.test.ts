import { describe, expect, test } from 'bun:test'
import { canonicalJson } from 'renown/sources'
import { hashOf as reportHash } from '../../../plugins/reports/data/canonical'
import { hashOf as chainHash, noHash } from '../../../plugins/reviews/proof/chain-hash'

const value = {
  b: 1,
  a: [undefined, null, 'ü"\u2028', { z: undefined, é: -0, 10: 1e21, 9: 0.1 }],
  ä: true,
  Z: '日本',
  e: {},
}
const lone = { text: 'x\ud800y', 'k\udc00': 1 }

test('equal values have the same text, in any order of their keys', () => {
  expect(canonicalJson({ b: [1, { d: 1, c: undefined }], a: 'x' })).toBe('{"a":"x","b":[1,{"d":1}]}')
  expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }))
  expect(canonicalJson({ 10: 1, 9: 2 })).toBe('{"10":1,"9":2}')
  expect(canonicalJson([undefined, () => 1])).toBe('[null,null]')
  expect(canonicalJson(undefined)).toBe('null')
  expect(canonicalJson(lone)).toBe('{"k\\udc00":1,"text":"x\\ud800y"}')
})

describe('hashes that are stored stay valid', () => {
  test('of reports', () => {
    expect(reportHash(value)).toBe('61085d5723b9170b081572df027938c428269fb091df97d440ba9914ad617e58')
    expect(reportHash(lone)).toBe('b1a960ef6a26d327e2b70c6c7a0caeb9e5c1f0f10b6be5c3f390db486137282b')
  })

  test('of the record of reviews', () => {
    expect(chainHash(noHash, value)).toBe('f54fe6012ca19bcf6e634c02d3f48b8f64773f699e3247f47e3ef49ebfa452bf')
    expect(chainHash(noHash, lone)).toBe('4f6609ed666fb691d1d3bbbb7121d472a06e4a82ad5483d2d1a189342fd9791d')
  })
})
