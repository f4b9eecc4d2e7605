import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Gate, startGate } from '../../../../support/harness'
import { formOf, signedIn } from '../../../../support/signed-in'

let gate: Gate
let send: (fields: Record<string, string>) => Promise<Response>
beforeAll(async () => {
  gate = await startGate({ plugins: [] })
  const { cookie, session } = await signedIn(gate)
  send = (fields) => gate.ask('/app/start', formOf({ csrf: session.csrf_token, ...fields }, { cookie }))
})
afterAll(() => gate.stop())

const all = { business: 'Bakery', website: '', workspace: 'Acme', timezone: 'UTC' }

/** The fields that the page marks as wrong. */
const marked = async (fields: Record<string, string>) => {
  const answer = await send(fields)
  const inputs = (await answer.text()).match(/<(?:input|select)\b[^>]*>/g) ?? []
  const wrong = inputs.filter((input) => input.includes('aria-invalid="true"'))
  return [answer.status, ...wrong.map((input) => /name="([^"]*)"/.exec(input)?.[1])]
}

test('an error stands at its own field: the one that is empty or wrong, and no other', async () => {
  expect(await marked({ ...all, business: '' })).toEqual([422, 'business'])
  expect(await marked({ ...all, business: '', workspace: '' })).toEqual([422, 'business'])
  expect(await marked({ ...all, business: ' ', workspace: ' ' })).toEqual([422, 'business'])
  expect(await marked({ ...all, timezone: 'Nowhere' })).toEqual([422, 'timezone'])
  expect(await marked({ ...all, workspace: 'x'.repeat(201) })).toEqual([422, 'workspace'])
})
