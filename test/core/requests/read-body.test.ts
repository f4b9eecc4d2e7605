import { describe, expect, test } from 'bun:test'
import { isRefusal } from '../../../core/contracts/errors'
import { bodyBytesMax, checkLength, readBytes, readJson, readObject } from '../../../core/requests/body'

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
const post = (body: Body, headers: Record<string, string> = {}) =>
  new Request('http://localhost/x', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
const declared = (body: string, headers: Record<string, string> = {}) =>
  post(body, { 'content-length': String(body.length), ...headers })
const chunked = (...parts: readonly string[]) =>
  post(
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      },
    }),
  )
const outcome = async <T>(run: () => T | Promise<T>) => {
  try {
    return await run()
  } catch (error) {
    if (isRefusal(error)) return error.code
    throw error
  }
}

describe('a body as an object', () => {
  test('is read, declared or chunked, and an empty one is {}', async () => {
    expect(await readObject(declared('{"a":1}'))).toEqual({ a: 1 })
    expect(await readObject(chunked('{"a"', ':1', '}'))).toEqual({ a: 1 })
    expect(await readObject(declared(''))).toEqual({})
    expect(await readObject(post(null))).toEqual({})
    expect(await readObject(post(null, { 'content-type': 'text/plain' }))).toEqual({})
  })

  test('is refused where it is JSON of another kind, or no JSON in UTF-8', async () => {
    for (const body of ['[]', 'null', '1', '"x"', 'true', '{', 'x'])
      expect([body, await outcome(() => readObject(declared(body)))]).toEqual([body, 'malformed_body'])
    const latin = new Uint8Array([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d])
    expect(await outcome(() => readObject(post(latin)))).toBe('malformed_body')
    expect(await outcome(() => readObject(declared(`{"a":${'['.repeat(33)}`)))).toBe('payload_too_large')
  })

  test('is of type application/json, in UTF-8 and without an encoding', async () => {
    const typed = (type: string, more: Record<string, string> = {}) =>
      outcome(() => readObject(declared('{}', { 'content-type': type, ...more })))
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json;charset=utf-8',
      'application/json; charset=UTF8',
      'application/json; a=b; charset="utf-8"',
      ' application/json ; v=1',
    ])
      expect([type, await typed(type)]).toEqual([type, {}])
    for (const type of [
      '',
      'text/json',
      'text/plain',
      'application/jsonx',
      'application/json;charset=latin1',
      'application/json; charset=utf-8x',
      'application/json; charset=xutf-8',
    ])
      expect([type, await typed(type)]).toEqual([type, 'unsupported_media_type'])
    expect(await typed('application/json', { 'content-encoding': 'identity' })).toEqual({})
    expect(await typed('application/json', { 'content-encoding': 'gzip' })).toBe('unsupported_media_type')
  })
})

describe('the length of a body', () => {
  test('is refused by its declaration above 1 MiB', () => {
    expect(bodyBytesMax).toBe(1_048_576)
    const check = (length: string) => outcome(() => checkLength(post('x', { 'content-length': length })))
    return Promise.all([
      expect(check('1048576')).resolves.toBeUndefined(),
      expect(check('1048577')).resolves.toBe('payload_too_large'),
      expect(outcome(() => checkLength(post(null)))).resolves.toBeUndefined(),
    ])
  })

  test('is counted over all chunks', async () => {
    const bytes = (request: Request) => outcome(async () => (await readBytes(request, 10)).length)
    expect(await bytes(chunked('12345', '67890'))).toBe(10)
    expect(await bytes(chunked('12345', '67890', '1'))).toBe('payload_too_large')
    expect(await bytes(declared('1234567890'))).toBe(10)
    expect(await bytes(declared('12345678901'))).toBe('payload_too_large')
    expect(await bytes(post(null))).toBe(0)
    const both = chunked('12345', '678901')
    both.headers.set('content-length', '5')
    both.headers.set('transfer-encoding', 'chunked')
    expect(await bytes(both)).toBe('payload_too_large')
    const all = await readBytes(chunked('ab', 'cd'), 4)
    expect(new TextDecoder().decode(all)).toBe('abcd')
  })
})

test('a body as text and JSON keeps a text that is no JSON, and is refused by structure and type', async () => {
  expect(await readJson(declared('{"a":[1]}'))).toEqual({ text: '{"a":[1]}', value: { a: [1] } })
  expect(await readJson(declared('nope'))).toEqual({ text: 'nope', value: undefined })
  expect(await outcome(() => readJson(declared('['.repeat(33))))).toBe('payload_too_large')
  expect(await outcome(() => readJson(declared('{}', { 'content-type': 'text/plain' })))).toBe(
    'unsupported_media_type',
  )
  const { text } = await readJson(post(new Uint8Array([0x22, 0xe9, 0x22])))
  expect(text).toBe('"\ufffd"')
})

test('a body without a declared length is refused before all of it has arrived', async () => {
  let parts = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (++parts > 1_000) controller.close()
      else controller.enqueue(new Uint8Array(100))
    },
  })
  expect(await outcome(() => readBytes(post(body), 1_000))).toBe('payload_too_large')
  expect(parts).toBeLessThan(500)
})
