import { afterAll, beforeAll, expect, test } from 'bun:test'
import { builtin } from '../../../plugins/index'
import { type Gate, startGate } from '../../support/harness'
import { sampleRow } from '../../support/sample-row'

let gate: Gate

beforeAll(async () => {
  gate = await startGate({ plugins: builtin })
})
afterAll(() => gate?.stop())

const count = (entity: string, q: object) => gate.call('countRecords', { entity, q })

test.each([
  ['VisibilityRun', { engine: 'chatgtp' }],
  ['VisibilityRun', { engine: { $in: ['Chat GTP'] } }],
  ['VisibilityRun', { country: 'Germny' }],
  ['VisibilityRun', { country: 'ZZ' }],
  ['VisibilityPrompt', { country: 'UK' }],
  ['VisibilityTracker', { engines: 'chatgtp' }],
])('a filter of %s by a name of no closed list is refused: %j', async (entity, q) => {
  const answer = await count(entity, q)
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({ code: 'invalid_filter' })
})

test.each([
  ['VisibilityRun', { engine: 'ChatGPT' }],
  ['VisibilityRun', { country: 'Germany', engine: ['chatgpt', 'Claude'] }],
  ['VisibilityRun', { engine: 'an_engine_of_a_plugin' }],
  ['VisibilityTracker', { engines: { $all: ['Google AI Overviews'] } }],
])('a filter of %s accepts other spellings, and engines of plugins: %j', async (entity, q) => {
  expect((await count(entity, q)).status).toBe(200)
})

test('a tracker of another location is refused, and is no answer with zeros', async () => {
  const row = (name: string, fields: Record<string, unknown>) => {
    const entity = gate.registry.entities.get(name)
    if (!entity) throw new Error(`There is no ${name}`)
    return gate.putForeign(name, { ...sampleRow(entity, [name, name.toLowerCase()]), ...fields })
  }
  const own = await row('BusinessLocation', { business_name: 'Own' })
  const other = await row('BusinessLocation', { business_name: 'Other' })
  const tracker = await row('VisibilityTracker', { location_id: own.id })
  for (const operation of ['getVisibilitySummary', 'listCitedSources'])
    for (const [location_id, status] of [
      [own.id, 200],
      [other.id, 404],
    ] as const)
      expect((await gate.call(operation, { tracker_id: tracker.id, location_id })).status).toBe(status)
})
