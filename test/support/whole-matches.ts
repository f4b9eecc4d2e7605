import { expect } from 'bun:test'

/**
 * Lets `toMatchObject` leave what it looks at as it is. Bun 1.4.5 puts the matchers of the expected object into the received one, even
 * if that is frozen: after `toMatchObject({ id: expect.any(String) })` the `id` equals everything, and what a process keeps for
 * its other tests is broken. So the matcher sees a copy of the objects that have such a place. Loaded before every test file, by
 * bunfig.toml.
 */
const native: (this: unknown, expected: unknown) => void = Object.getPrototypeOf(expect(null)).toMatchObject

expect.extend({
  toMatchObject(received: unknown, expected: unknown) {
    try {
      native.call(expect(copyOf(received, expected)), expected)
      return { pass: true, message: () => 'The value has what it should not have.' }
    } catch (error) {
      return { pass: false, message: () => (error instanceof Error ? error.message : String(error)) }
    }
  },
})

/** Whether a value can be copied property by property. Others have parts that nobody sees. */
const kept = (value: unknown): value is Record<string, unknown> => {
  if (value === null || typeof value !== 'object') return false
  const prototype = Object.getPrototypeOf(value)
  return (
    Array.isArray(value) || prototype === Object.prototype || prototype === null || value instanceof Error
  )
}

/** Returns a value with copies of the objects into which the expected one reaches. */
function copyOf(received: unknown, expected: unknown): unknown {
  if (!kept(received) || !kept(expected)) return received
  const copy: Record<string, unknown> = Array.isArray(received)
    ? []
    : Object.create(Object.getPrototypeOf(received))
  for (const key of Object.getOwnPropertyNames(received)) {
    if (Array.isArray(received) && key === 'length') continue
    Object.defineProperty(copy, key, {
      value: Object.hasOwn(expected, key) ? copyOf(received[key], expected[key]) : received[key],
      enumerable: Object.getOwnPropertyDescriptor(received, key)?.enumerable ?? true,
      writable: true,
      configurable: true,
    })
  }
  return copy
}
