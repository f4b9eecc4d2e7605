import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { defineOperation, definePlugin } from 'renown'
import * as v from 'valibot'
import { type FaultKind, ServiceFault } from '../../../core/contracts/service-fault'
import { type AskOptions, type Gate, startGate } from '../../support/harness'
import { notes } from '../../support/notes-plugin'

let thrown: Error | undefined
let runs = 0
const sender = definePlugin({
  name: 'sender',
  renown: '^1.0.0',
  operations: [
    defineOperation({
      name: 'sendParcel',
      summary: 'Takes nested fields',
      class: 'draft',
      crossAgency: 'own',
      input: v.pipe(
        v.strictObject({
          address: v.optional(v.strictObject({ city: v.string(), zip: v.string() })),
          items: v.optional(v.array(v.pipe(v.string(), v.minLength(1)))),
          first: v.optional(v.boolean()),
          last: v.optional(v.boolean()),
        }),
        v.check(({ first, last }) => !(first && last), 'first and last exclude each other'),
      ),
      output: v.object({ ok: v.boolean() }),
      run: async () => {
        runs++
        if (thrown) throw thrown
        return { ok: true }
      },
    }),
  ],
})

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [notes, sender] })
})
afterAll(() => gate.stop())

interface Answer {
  readonly status: number
  readonly code?: string
  readonly detail?: string
  readonly hint?: string
  readonly errors?: readonly Record<string, unknown>[]
}
const call = async (body: unknown, asked: AskOptions = {}, name = 'sendParcel') => {
  const response = await gate.call(name, body, asked)
  const answer = { ...((await response.json()) as object), status: response.status } as Answer
  return { answer, retryAfter: response.headers.get('retry-after') }
}

describe('a body that does not fit', () => {
  test('is refused by the names of its fields, each once, with every place', async () => {
    const { answer } = await call({ address: { city: 1, zip: 2 }, items: ['', 'x', 3] })
    expect([answer.status, answer.code]).toEqual([422, 'invalid_field'])
    expect(answer.detail).toBe('The body of sendParcel is invalid: address, items.')
    expect(answer.errors?.map(({ pointer }) => pointer)).toEqual([
      '/address/city',
      '/address/zip',
      '/items/0',
      '/items/2',
    ])
  })

  test('as a whole names no field', async () => {
    const { answer } = await call({ first: true, last: true })
    expect(answer.detail).toBe('The body of sendParcel is invalid: .')
    expect(answer.errors).toHaveLength(1)
  })

  test('is refused by fields that it does not take: what is taken instead, twenty places, five names', async () => {
    const { answer } = await call({ adress: 1, 'a/b~c': 1 })
    expect([answer.status, answer.code, answer.detail]).toEqual([
      422,
      'unknown_field',
      'sendParcel does not accept adress, a/b~c.',
    ])
    expect(answer.errors?.map(({ pointer }) => pointer)).toEqual(['/adress', '/a~1b~0c'])
    expect(answer.errors?.[0]).toMatchObject({ code: 'unknown_field', did_you_mean: 'address' })
    expect((await call({ dry_ru: 1 })).answer.errors?.[0]).toMatchObject({ did_you_mean: 'dry_run' })
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, place) => [`zz${place}`, 1]))
    const { answer: long } = await call(many)
    expect(long.detail).toBe('sendParcel does not accept zz0, zz1, zz2, zz3, zz4.')
    expect(long.errors).toHaveLength(20)
    const { answer: read } = await call({ dry_ru: 1 }, {}, 'countNotes')
    expect(read.errors?.[0]).not.toHaveProperty('did_you_mean')
    const { answer: longest } = await call({ ['y'.repeat(300)]: 1 })
    expect(longest.detail).toBe(`sendParcel does not accept ${'y'.repeat(200)}.`)
    expect(longest.errors?.[0]?.pointer).toBe(`/${'y'.repeat(80)}`)
    const { answer: nested } = await call({ address: { city: 'x', zip: 'y', street: 'z' } })
    expect([nested.code, nested.errors?.[0]?.pointer]).toEqual(['unknown_field', '/address/street'])
  })

  test('has a dry run that is true or false, and none where the call writes nothing anyway', async () => {
    const before = runs
    const { answer } = await call({ dry_run: 'yes' })
    expect([answer.status, answer.code]).toEqual([422, 'invalid_field'])
    expect(answer.errors).toEqual([
      { pointer: '/dry_run', code: 'invalid', message: 'expected true or false' },
    ])
    expect(runs).toBe(before)
    expect((await call({ dry_run: true })).answer.status).toBe(200)
    expect((await call({ dry_run: false })).answer.status).toBe(200)
    expect((await call({ dry_run: true }, {}, 'countNotes')).answer.code).toBe('unknown_field')
  })
})

describe('an Idempotency-Key', () => {
  const under = (key: string) => ({ headers: { 'idempotency-key': key } })

  test('is 1 to 255 visible characters', async () => {
    for (const key of ['x', 'x'.repeat(255), '!~'])
      expect([key, (await call({}, under(key))).answer.status]).toEqual([key, 200])
    for (const key of ['x'.repeat(256), 'a b', 'é']) {
      const { answer } = await call({}, under(key))
      expect([key, answer.status, answer.code]).toEqual([key, 422, 'invalid_parameter'])
      expect(answer.errors?.[0]).toMatchObject({ header: 'Idempotency-Key', code: 'invalid' })
    }
  })

  test('that came with another body is refused by its header; the order of fields makes no other body', async () => {
    const before = runs
    await call({ items: ['a'], address: { city: 'x', zip: 'y' } }, under('bodies'))
    await call({ address: { zip: 'y', city: 'x' }, items: ['a'] }, under('bodies'))
    expect(runs).toBe(before + 1)
    const { answer } = await call({ items: ['b'] }, under('bodies'))
    expect([answer.status, answer.code]).toEqual([409, 'idempotency_conflict'])
    expect(answer.errors).toEqual([
      { header: 'Idempotency-Key', code: 'idempotency_conflict', message: expect.any(String) },
    ])
    expect((await call({ items: ['b', 'a'] }, under('lists'))).answer.status).toBe(200)
    expect((await call({ items: ['a', 'b'] }, under('lists'))).answer.status).toBe(409)
  })

  test('does not count for a dry run', async () => {
    const before = runs
    await call({ dry_run: true }, under('dry'))
    await call({}, under('dry'))
    expect(runs).toBe(before + 2)
  })
})

test('a service that fails a draft says when to come again, and nothing is told of it', async () => {
  const failing = async (kind: FaultKind, retryAfterMs?: number) => {
    thrown = new ServiceFault(kind, 'a private detail', { retryAfterMs })
    const { answer, retryAfter } = await call({})
    thrown = undefined
    expect(JSON.stringify(answer)).not.toContain('private')
    return [answer.status, answer.code, retryAfter]
  }
  expect(await failing('transient')).toEqual([503, 'unavailable', '30'])
  expect(await failing('permanent')).toEqual([503, 'unavailable', '300'])
  expect(await failing('transient', 1_500)).toEqual([503, 'unavailable', '2'])
  thrown = new Error('a private detail')
  const { answer, retryAfter } = await call({})
  thrown = undefined
  expect([answer.status, answer.code, retryAfter]).toEqual([500, 'internal', null])
})

test('an operation that is not offered is refused with the one that was meant', async () => {
  const { answer } = await call({}, {}, 'sendParcels')
  expect([answer.status, answer.code]).toEqual([403, 'outside_surface'])
  expect(answer.hint).toStartWith('Did you mean sendParcel? GET /api/surface')
  const { answer: none } = await call({}, {}, 'z'.repeat(100))
  expect(none.hint).toStartWith('GET /api/surface')
  expect(none.detail).toBe(`There is no operation ${'z'.repeat(80)}.`)
})
