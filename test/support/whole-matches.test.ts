import { describe, expect, test } from 'bun:test'

describe('what toMatchObject looks at', () => {
  const kept = () => ({ name: 'a', in: Object.freeze({ b: 'x' }), list: [{ t: 'z' }, 1] })
  const matching = {
    name: expect.any(String),
    in: { b: expect.stringContaining('x') },
    list: [expect.objectContaining({ t: expect.any(String) }), 1],
  }

  test('stays as it is', async () => {
    const value = Object.freeze(kept())
    expect(value).toMatchObject(matching)
    expect([value]).toMatchObject([matching])
    expect(value).not.toMatchObject({ name: expect.any(Number) })
    await expect(Promise.resolve(value)).resolves.toMatchObject(matching)
    expect(value.name.toUpperCase()).toBe('A')
    expect(JSON.stringify(value)).toBe(JSON.stringify(kept()))
  })

  test('stays as it is where it is an error', async () => {
    const error = Object.assign(new Error('boo'), { code: 1 })
    await expect(Promise.reject(error)).rejects.toMatchObject({ message: expect.any(String), code: 1 })
    expect(error.message).toBe('boo')
  })

  test('is told where it does not match', () => {
    expect(() => expect(kept()).toMatchObject({ list: [{ t: 'y' }] })).toThrow()
    expect(() => expect(kept()).toMatchObject({ list: [{ t: 'z' }] })).toThrow()
    expect(() => expect(kept()).toMatchObject({ other: undefined })).toThrow()
    expect(() => expect(kept()).not.toMatchObject({ in: { b: expect.any(String) } })).toThrow()
  })
})
