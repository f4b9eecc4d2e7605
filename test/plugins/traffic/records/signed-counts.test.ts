import { expect, test } from 'bun:test'
import { signedCount, signedFields, signedHitsOf } from '../../../../plugins/traffic/records/signed-counts'

const all = [
  signedCount('GPTBot', 'signature b.example', 3),
  signedCount('GPTBot', 'both z.example', 4),
  signedCount('GPTBot', 'false b.example', 5),
  signedCount('Other', 'signature c.example', 3),
  signedCount('Other', 'false d.example', 9),
]

test('a row names what verified its hits, and the signer', () => {
  expect(all[1]).toEqual({ agent: 'GPTBot', signer: 'z.example', by: 'both', hits: 4 })
  expect(signedHitsOf(all, 'GPTBot')).toBe(7)
  expect(signedHitsOf(all, 'Nobody')).toBe(0)
})

test('a day counts what signatures verified, and each signer, the most verified first, equal ones by name', () => {
  const { by_signer, ...fields } = signedFields(all, 30)
  expect(fields).toEqual({ signed_hits: 10, verified_by: { address: 20, signature: 6, both: 4 } })
  expect(Object.entries(by_signer ?? {})).toEqual([
    ['z.example', { verified: 4, spoofed: 0 }],
    ['b.example', { verified: 3, spoofed: 5 }],
    ['c.example', { verified: 3, spoofed: 0 }],
    ['d.example', { verified: 0, spoofed: 9 }],
  ])
  expect(Object.keys(signedFields(all.toReversed(), 30).by_signer ?? {})).toEqual(
    Object.keys(by_signer ?? {}),
  )
})

test('a day without signed hits has their number alone, and one of false ones says so', () => {
  expect(signedFields([], 30)).toEqual({ signed_hits: 0, verified_by: undefined, by_signer: undefined })
  expect(signedFields(all.slice(-1), 0)).toEqual({
    signed_hits: 0,
    verified_by: { address: 0, signature: 0, both: 0 },
    by_signer: { 'd.example': { verified: 0, spoofed: 9 } },
  })
})
