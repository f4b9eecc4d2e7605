import { expect, test } from 'bun:test'
import { hash32, hash53 } from '../../../ingest/parse/hash'

test('a hash stays the same over releases: the journal and the memory of ids hold them', () => {
  for (const [text, seed, hash] of [
    ['', 0, 4571966501143976],
    ['a', 0, 8274348605499429],
    ['ab', 0, 3984667902850867],
    ['abc', 0, 1491609069865492],
    ['abc', 1, 6961509040683570],
    ['/pricing', 7, 1571704477058093],
    ['€😀', 3, 1890187465670340],
    ['x'.repeat(100), 12345, 762048071023358],
  ] as const)
    expect([text, seed, hash53(text, seed)]).toEqual([text, seed, hash])
  expect([hash32('abc'), hash32('/pricing')]).toEqual([711254630, 1875851076])
})
