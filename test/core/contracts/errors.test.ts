import { expect, test } from 'bun:test'
import {
  isConflict,
  isRefusal,
  messageOf,
  nullIfConflict,
  Refusal,
  recoverIf,
} from '../../../core/contracts/errors'

const conflict = new Refusal('conflict', 'Taken.')

/** As a plugin throws it that loaded a second copy of the package. */
const fromCopy = Object.assign(new Error('Taken.'), { name: 'Refusal', code: 'conflict' })

test('a conflict is recognised by its shape, and no other refusal is one', () => {
  expect([conflict, fromCopy].map(isConflict)).toEqual([true, true])
  expect([conflict, fromCopy].map(isRefusal)).toEqual([true, true])
  const others = [new Refusal('not_found', 'Gone.'), new Error('conflict'), { code: 'conflict' }, null]
  expect(others.map(isConflict)).toEqual(others.map(() => false))
})

test('only a conflict becomes null, and every other error is thrown unchanged', async () => {
  expect(await Promise.reject(fromCopy).catch(nullIfConflict)).toBeNull()
  const gone = new Refusal('not_found', 'Gone.')
  expect(() => nullIfConflict(gone)).toThrow(gone)
})

test('whatever was thrown has a message', () => {
  expect([new Error('full'), 'full', 7, undefined].map(messageOf)).toEqual(['full', 'full', '7', 'undefined'])
})

test('only the expected kind of error is handled, and every other error is thrown unchanged', async () => {
  const handled: Refusal[] = []
  const recover = recoverIf(isRefusal, (refusal) => handled.push(refusal))
  expect(await Promise.reject(conflict).catch(recover)).toBe(1)
  expect(handled).toEqual([conflict])
  for (const other of [new Error('full'), new TypeError('conflict'), 'text', undefined]) {
    const thrown = await Promise.reject(other)
      .catch(recover)
      .then(
        () => 'handled',
        (error) => ({ error }),
      )
    expect(thrown).toEqual({ error: other })
  }
  expect(handled).toHaveLength(1)
})
