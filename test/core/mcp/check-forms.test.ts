import { describe, expect, test } from 'bun:test'
import { checkForms, faultAnswer, withFaults } from '../../../core/mcp/message-forms'

const call = (id: unknown, more: object = {}) => ({ jsonrpc: '2.0', id, method: 'tools/call', ...more })
const fault = (id: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})
const noObject = (id: unknown) => fault(id, -32600, 'Invalid Request: params must be an object')
const noArguments = (id: unknown) => fault(id, -32602, 'Invalid params: arguments must be an object')

describe('the form of a message', () => {
  test.each([
    [call(1)],
    [call('a', { params: {} })],
    [call(1, { params: { name: 'x', arguments: {} } })],
    [call(1, { params: { name: 'x' } })],
    [{ method: 'x', params: 5 }],
    [call(null, { params: 5 })],
    [call(1, { method: 5, params: 5 })],
    ['x'],
    [null],
    [5],
  ])('that is right, or that the SDK judges, stays as it is: %j', (message) => {
    expect<unknown>(checkForms(message)).toEqual({ body: message, faults: [] })
  })

  test('loses arguments that are null, and nothing else', () => {
    const sent = call(1, { params: { name: 'x', arguments: null, _meta: { a: 1 } } })
    expect<unknown>(checkForms(sent)).toEqual({
      body: call(1, { params: { name: 'x', _meta: { a: 1 } } }),
      faults: [],
    })
  })

  test('of parameters or arguments that are no object is refused with its id', () => {
    for (const params of [5, 'x', [], null, true])
      expect<unknown>(checkForms(call('i', { params }))).toEqual({ body: undefined, faults: [noObject('i')] })
    for (const args of [5, 'x', [], false, 0, ''])
      expect<unknown>(checkForms(call(7, { params: { name: 'x', arguments: args } }))).toEqual({
        body: undefined,
        faults: [noArguments(7)],
      })
  })
})

test('of several messages the right ones go on, and the others are refused each for itself', () => {
  const right = call(1)
  expect<unknown>(checkForms([right, call(2, { params: 5 }), call(3, { params: { arguments: 5 } })])).toEqual(
    {
      body: [right],
      faults: [noObject(2), noArguments(3)],
    },
  )
  expect<unknown>(checkForms([call(2, { params: 5 })])).toEqual({ body: undefined, faults: [noObject(2)] })
  // No message at all is the SDK's to refuse.
  expect<unknown>(checkForms([])).toEqual({ body: [], faults: [] })
})

test('an answer to messages of which none is left is an error of HTTP only where one was no request', async () => {
  const invalid = noObject(1)
  const wrong = noArguments(2)
  const told = async (answer: Response) => [
    answer.status,
    answer.headers.get('cache-control'),
    await answer.json(),
  ]
  type Faults = Parameters<typeof faultAnswer>[0]
  const faults = (...all: object[]) => all as unknown as Faults
  expect(await told(faultAnswer(faults(invalid), false))).toEqual([400, 'private, no-store', invalid])
  expect(await told(faultAnswer(faults(wrong), false))).toEqual([200, 'private, no-store', wrong])
  expect(await told(faultAnswer(faults(invalid, wrong), true))).toEqual([
    200,
    'private, no-store',
    [invalid, wrong],
  ])
  const whole = Response.json({ id: 9 }, { headers: { 'x-own': '1' } })
  expect(await withFaults(whole, [])).toBe(whole)
  const joined = (answer: Response) => withFaults(answer, faults(wrong)).then(told)
  expect(await joined(Response.json({ id: 9 }))).toEqual([200, 'private, no-store', [{ id: 9 }, wrong]])
  expect(await joined(Response.json([{ id: 8 }, { id: 9 }]))).toEqual([
    200,
    'private, no-store',
    [{ id: 8 }, { id: 9 }, wrong],
  ])
  expect(await joined(new Response(null, { status: 202 }))).toEqual([200, 'private, no-store', [wrong]])
})
