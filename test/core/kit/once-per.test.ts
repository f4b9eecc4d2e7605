import { expect, test } from 'bun:test'
import { oncePer } from '../../../core/kit/once-per'

test('computes the value of each object once, also if it is undefined', () => {
  const seen: object[] = []
  const of = oncePer((key: { readonly value?: number }) => {
    seen.push(key)
    return key.value
  })
  const one = { value: 1 }
  const two = {}
  expect([of(one), of(two), of(one), of(two)]).toEqual([1, undefined, 1, undefined])
  expect(seen).toEqual([one, two])
})

test('computes a value again that could not be computed', () => {
  let count = 0
  const of = oncePer(() => {
    count++
    if (count === 1) throw new Error('broken')
    return count
  })
  const key = {}
  expect(() => of(key)).toThrow('broken')
  expect([of(key), of(key)]).toEqual([2, 2])
})
