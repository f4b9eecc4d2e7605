import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import visibility from '../../../../plugins/visibility'
import { VisibilityPrompt } from '../../../../plugins/visibility/records/VisibilityPrompt'
import { VisibilityTracker } from '../../../../plugins/visibility/records/VisibilityTracker'
import { type Gate, startGate } from '../../../support/harness'

let gate: Gate
beforeEach(async () => {
  gate = await startGate({ plugins: [visibility] })
})
afterEach(() => gate.stop())

const location = (changes: object = {}) =>
  gate.put(BusinessLocation, {
    business_name: 'Northgate Plumbing',
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
    business_category: 'plumber',
    city: 'Leeds',
    country: 'GB',
    website: 'https://www.northgate.example/x',
    ...changes,
  })

async function setup(body: object) {
  const answer = await gate.call('setupVisibilityTracking', body)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const trackers = () => gate.owner.rows(VisibilityTracker).list()
const prompts = () => gate.owner.rows(VisibilityPrompt).list()

describe('First-time set-up of AI visibility', () => {
  test('asks from the country of the location, and from none that nobody named', async () => {
    const { id } = await location({ country: 'Deutschland' })
    expect((await setup({ location_id: id })).body.country).toBe('DE')
    const other = await location({ country: undefined, website: undefined })
    const refused = await setup({ location_id: other.id })
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ pointer: '/country' }]])
    expect(await trackers()).toHaveLength(1)
    expect((await setup({ location_id: other.id, country: 'FR' })).body.country).toBe('FR')
  })

  test('makes a tracker with suggested prompts, a budget and a rule by which it stops', async () => {
    const { id } = await location()
    const { status, body } = await setup({ location_id: id, competitors: [{ name: 'Drain Doctors' }] })
    expect(status).toBe(200)
    const [tracker] = await trackers()
    expect(tracker).toMatchObject({
      id: body.tracker_id,
      brand_name: 'Northgate Plumbing',
      brand_domain: 'northgate.example',
      engines: ['chatgpt', 'claude', 'gemini', 'perplexity'],
      countries: ['GB'],
      provider: 'direct',
      is_active: true,
      run_frequency_hours: 24,
      budget: { usd_per_month: 30 },
      stop_when: { half_width: 0.05, min_rounds: 5 },
    })
    expect(tracker?.due_at).toBeDefined()
    const stored = await prompts()
    expect(stored.map(({ text }) => text)).toContain('What is the best plumber in Leeds?')
    expect(stored.map(({ source, country }) => `${source} ${country}`)).toEqual(Array(5).fill('suggested GB'))
    expect(stored.filter(({ tags }) => tags.includes('branded')).map(({ text }) => text)).toEqual([
      'Is Northgate Plumbing in Leeds any good?',
    ])
    expect(body.forecast).toMatchObject({ days: 30, answers: 600, usd: 7.2 })
  })

  test('creates only where there is none, and sends the id of the one that is there', async () => {
    const { id } = await location()
    const [first, second] = await Promise.all([setup({ location_id: id }), setup({ location_id: id })])
    expect([first.status, second.status].sort()).toEqual([200, 409])
    const third = await setup({ location_id: id })
    const [tracker, ...others] = await trackers()
    expect(others).toEqual([])
    expect(third.body).toMatchObject({ code: 'already_set_up', tracker_id: tracker?.id as string })
    expect((await prompts()).length).toBe(5)
  })

  test('writes nothing in a dry run, and forecasts the cost', async () => {
    const { id } = await location()
    const { status, body } = await setup({
      location_id: id,
      dry_run: true,
      prompts: ['Who mends boilers in Leeds?'],
    })
    expect([status, (body.forecast as { answers: number }).answers]).toEqual([200, 120])
    expect(await trackers()).toEqual([])
    expect(await prompts()).toEqual([])
  })

  test('takes the caller’s own prompts, and knows which name the brand', async () => {
    const { id } = await location()
    const own = ['Who mends boilers?', 'Is NORTHGATE plumbing good?', 'Who mends boilers?']
    const { body } = await setup({ location_id: id, prompts: own, engines: ['claude'], country: 'ie' })
    expect(body.prompts).toEqual([
      { text: 'Who mends boilers?', is_branded: false },
      { text: 'Is NORTHGATE plumbing good?', is_branded: true },
    ])
    expect(body.country).toBe('IE')
  })

  test.each([
    [{ engines: ['chatGPT'] }, '/engines/0'],
    [{ country: 'UK' }, '/country'],
    [{ brand_domain: 'not a domain' }, '/brand_domain'],
    [{ competitors: [{ name: 'NORTHGATE PLUMBING' }] }, '/competitors'],
    [{ prompts: [''] }, '/prompts/0'],
  ])('refuses %j', async (given, pointer) => {
    const { id } = await location()
    const { status, body } = await setup({ location_id: id, ...given })
    expect([status, (body.errors as { pointer: string }[])[0]?.pointer]).toEqual([422, pointer])
    expect(await trackers()).toEqual([])
  })

  test('refuses a prospect, a demo, a location of nobody, and one that nothing can be suggested for', async () => {
    expect((await setup({ location_id: 'loc_none' })).status).toBe(404)
    const pitched = await location({ is_prospect: true, is_active: false })
    expect((await setup({ location_id: pitched.id })).status).toBe(422)
    const bare = await location({ business_category: undefined, city: undefined })
    expect((await setup({ location_id: bare.id })).body).toMatchObject({
      errors: [{ pointer: '/prompts' }],
    })
  })
})
