import { afterAll, beforeAll, expect, test } from 'bun:test'
import { dayIn, dayStart } from 'renown'
import { runCommand } from '../../../../core/contexts/run-command'
import { where } from '../../../../core/contracts/where'
import { Job } from '../../../../core/jobs/Job'
import { corePlugins } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { User } from '../../../../core/tenancy/User'
import { Workspace } from '../../../../core/tenancy/Workspace'
import { builtin } from '../../../../plugins/index'
import { VisibilityPrompt } from '../../../../plugins/visibility/records/VisibilityPrompt'
import { VisibilityRun } from '../../../../plugins/visibility/records/VisibilityRun'
import { VisibilityTracker } from '../../../../plugins/visibility/records/VisibilityTracker'
import { type Gate, startGate } from '../../../support/harness'
import { formOf, signedIn } from '../../../support/signed-in'

let gate: Gate
let cookie: string
let csrf: string
beforeAll(async () => {
  gate = await startGate({ plugins: [...corePlugins, ...builtin], settings: { OPENAI_API_KEY: 'sk-test' } })
  const person = await signedIn(gate)
  cookie = person.cookie
  csrf = person.session.csrf_token
}, 60_000)
afterAll(() => gate.stop())

let made = 0
async function location(more: object = {}): Promise<string> {
  const row = await runCommand({ owner: gate.owner, commands: gate.registry.commands }, 'location create', {
    business_name: `Northgate ${++made}`,
    workspace_id: gate.tenant.workspaceId,
    business_category: 'plumber',
    city: 'Leeds',
    country: 'GB',
    website: `https://n${made}.example`,
    ...more,
  })
  return String(row.location_id)
}
const browse = async (path: string) => (await gate.ask(path, { key: null, headers: { cookie } })).text()
interface Answer {
  readonly ok: boolean
  readonly to?: string
  readonly fault?: string
  readonly faults?: Record<string, string>
  readonly shown?: { readonly plan?: { readonly prompts: number }; readonly suggestions?: string[] }
}
async function send(path: string, fields: Record<string, string | readonly string[]>): Promise<Answer> {
  const form = formOf({ csrf }, { cookie })
  const body = new URLSearchParams(form.body)
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one)
  const headers = { ...form.headers, accept: 'application/json' }
  const answer = await gate.ask(path, { ...form, headers, body: body.toString() })
  return (await answer.json()) as Answer
}
const begun = (location_id: string, more: Record<string, string | readonly string[]> = {}) => ({
  location_id,
  brand_name: 'Northgate',
  brand_domain: '',
  aliases: 'North Gate',
  usd_per_month: '25',
  competitors: 'Drain Doctors, draindoctors.example\nSmith, Jones & Co',
  provider: 'direct',
  engines: ['chatgpt', 'claude'],
  country: 'GB',
  prompts: 'Who repairs boilers in Leeds?',
  ...more,
})
const trackerOf = async (location_id: string) => {
  const [row] = await gate.owner.rows(VisibilityTracker).list({ where: where.eq('location_id', location_id) })
  return row
}
const promptsOf = (tracker_id: string) =>
  gate.owner.rows(VisibilityPrompt).list({ where: where.eq('tracker_id', tracker_id) })
async function tracked(): Promise<string> {
  const id = await location()
  expect(await send('/app/visibility/setup/begin', begun(id))).toMatchObject({ ok: true })
  return (await trackerOf(id))?.id ?? ''
}

test('a location is tracked by a form that forecasts before it writes', async () => {
  const id = await location()
  const page = await browse(`/app/visibility/setup?location=${id}`)
  expect(page).toContain('What is the best plumber in Leeds?')
  expect(page).toMatch(/about <strong>\$\d/)
  const forecast = await send(
    '/app/visibility/setup/forecast',
    begun(id, { prompts: 'Who repairs boilers?\nWho unblocks drains?' }),
  )
  expect([forecast.ok, forecast.shown?.plan]).toMatchObject([
    true,
    { prompts: 2, engines: 2, branded: 0, unavailable: [{ label: 'Claude', needs: ['ANTHROPIC_API_KEY'] }] },
  ])
  expect(await trackerOf(id)).toBeUndefined()
  const { ok, to } = await send('/app/visibility/setup/begin', begun(id))
  const tracker = await trackerOf(id)
  expect([ok, to]).toEqual([true, `/app/visibility/tracker?tracker=${tracker?.id}&done=begun`])
  expect(tracker).toMatchObject({
    brand_aliases: ['North Gate'],
    engines: ['chatgpt', 'claude'],
    budget: { usd_per_month: 25 },
    competitors: [{ name: 'Drain Doctors', domain: 'draindoctors.example' }, { name: 'Smith, Jones & Co' }],
  })
  expect((await promptsOf(tracker?.id ?? '')).map(({ text }) => text)).toEqual([
    'Who repairs boilers in Leeds?',
  ])
  expect(await browse(to ?? '')).toContain('Renown asks the first questions today')
  expect(await send('/app/visibility/setup/begin', begun(id))).toMatchObject({ ok: false })
})

test('the country comes from the location, and is asked where the location does not say it', async () => {
  const chosenIn = async (id: string) => {
    const page = await browse(`/app/visibility/setup?location=${id}`)
    const select = page.slice(page.indexOf('name="country"'))
    const chosen = /<option value(?:="([^"]*)")? selected/.exec(select.slice(0, select.indexOf('</select>')))
    return chosen && (chosen[1] ?? '')
  }
  expect(await chosenIn(await location({ country: 'Deutschland' }))).toBe('DE')
  expect(
    await chosenIn(await location({ country: 'GB', city: undefined, business_category: undefined })),
  ).toBe('GB')
  expect(await chosenIn(await location({ country: undefined, website: 'https://huber.at' }))).toBe('AT')
  for (const more of [{}, { city: undefined, business_category: undefined }]) {
    const id = await location({ country: undefined, website: 'https://n.example', ...more })
    expect(await chosenIn(id)).toBe('')
    expect(await browse(`/app/visibility/setup?location=${id}`)).toContain('does not say in which country')
    expect(await send('/app/visibility/setup/begin', begun(id, { country: '' }))).toMatchObject({
      ok: false,
      faults: { country: expect.anything() },
    })
  }
})

test('prompts are suggested from services and the area, with their cost before they are saved', async () => {
  const id = await location({ city: undefined, business_category: undefined })
  await gate.owner.rows(BusinessLocation).update(id, {
    enrichment: { services: ['Boiler repair', 'Bathrooms'], service_area: 'Otley, Leeds and around' },
    enrichment_overrides: { services: ['Gas safety checks'] },
  })
  const page = await browse(`/app/visibility/setup?location=${id}`)
  expect(page).toContain('Who in Otley is good for Gas safety checks?')
  expect(page).not.toContain('Bathrooms')
  expect(page).toMatch(/about <strong>\$\d/)
  expect(await send('/app/visibility/setup/begin', begun(id, { prompts: 'Who mends taps?' }))).toMatchObject({
    ok: true,
  })
  const tracker = (await trackerOf(id))?.id ?? ''
  const { shown } = await send('/app/visibility/tracker/suggest', { tracker, id: tracker })
  // Two assistants, 30 days, 1.2 cents an answer: one prompt now, and two more then.
  expect(shown).toMatchObject({
    suggestions: ['Who in Otley is good for Gas safety checks?', expect.stringContaining('Otley')],
    usd_now: 0.72,
    usd_then: 2.16,
  })
  expect(await promptsOf(tracker)).toHaveLength(1)
})

test('a tracker that knows enough says until which day, in the style of all pages', async () => {
  const id = await tracked()
  await gate.owner.rows(VisibilityTracker).update(id, { sure_until: '2031-12-01' })
  for (const path of ['/app/visibility/setup', `/app/visibility/tracker?tracker=${id}`]) {
    const page = await browse(path)
    expect(page).toContain('Sure until 1 Dec 2031')
    expect(page).not.toMatch(/Sure until 2031/)
  }
})

test.each([
  ['brand_name', ' '],
  ['competitors', 'northgate'],
  ['competitors', 'Béta\nBETA, beta.example'],
  ['engines', []],
  ['engines', ['nobody']],
  ['engines', 'google_ai_mode'],
  ['prompts', 'x'],
  ['prompts', 'Who fixes taps?\nWho fixes\0baths?'],
  ['country', 'UK'],
  ['usd_per_month', '-1'],
  ['usd_per_month', '1e9'],
] as const)('the form refuses %s %j and names the field', async (name, value) => {
  const id = await location()
  const { ok, faults } = await send('/app/visibility/setup/begin', begun(id, { [name]: value }))
  expect([ok, Object.keys(faults ?? {})]).toEqual([false, [name]])
  expect(await trackerOf(id)).toBeUndefined()
})

const settings = (id: string, more: Record<string, string | readonly string[]> = {}) => ({
  tracker: id,
  id,
  name: 'Boilers',
  brand_name: 'Northgate',
  aliases: '',
  competitors: 'Beta',
  brand_domain: 'north.example',
  engines: ['chatgpt'],
  provider: 'direct',
  countries: 'gb, IE',
  every_days: '7',
  stop_at: 'never',
  usd_per_month: '',
  searches_per_day: '40',
  ...more,
})

test('a tracker is changed as a whole, and its next questions are planned anew', async () => {
  const id = await tracked()
  await gate.owner.rows(VisibilityTracker).update(id, {
    sure_until: '2099-01-01',
    due_at: '2099-01-01T00:00:00.000Z',
    holds: [{ engine: 'chatgpt', until: '2099-01-01T00:00:00.000Z', reason: 'limited' }],
  })
  expect(await send('/app/visibility/tracker/save', settings(id))).toMatchObject({ ok: true })
  const row = await gate.owner.rows(VisibilityTracker).get(id)
  expect(row).toMatchObject({
    name: 'Boilers',
    competitors: [{ name: 'Beta' }],
    brand_domain: 'north.example',
    brand_aliases: [],
    engines: ['chatgpt'],
    countries: ['GB', 'IE'],
    run_frequency_hours: 168,
    holds: [],
    budget: { search_calls_per_day: 40 },
  })
  expect([row?.stop_when, row?.sure_until, Date.parse(row?.due_at ?? '') <= Date.now()]).toEqual([
    undefined,
    undefined,
    true,
  ])
  const page = await browse(`/app/visibility/tracker?tracker=${id}`)
  expect([
    page.includes('value="GB, IE"'),
    page.includes('1 active prompt, 2 questions every 7 days.'),
  ]).toEqual([true, true])
})

test.each([
  ['engines', ['grok', 'chatgpt'], 'dataforseo'],
  ['engines', ['nobody'], 'direct'],
  ['competitors', 'Northgate', 'direct'],
  ['competitors', 'Beta\nbeta', 'direct'],
  ['countries', 'GB, UK', 'direct'],
  ['every_days', '0', 'direct'],
  ['stop_at', '51', 'direct'],
  ['searches_per_day', '0', 'direct'],
  ['brand_domain', 'not a domain', 'direct'],
] as const)(
  'a change of %s to %j is refused by the field, and nothing is changed',
  async (name, value, provider) => {
    const id = await tracked()
    const before = await gate.owner.rows(VisibilityTracker).get(id)
    const { ok, faults } = await send(
      '/app/visibility/tracker/save',
      settings(id, { provider, [name]: value }),
    )
    expect([ok, Object.keys(faults ?? {})]).toEqual([false, [name]])
    expect(await gate.owner.rows(VisibilityTracker).get(id)).toEqual(before)
  },
)

test('a change of somebody else is not overwritten by a form that was opened before', async () => {
  const id = await tracked()
  const seenNow = async () =>
    /name="seen" value="([0-9a-f]+)"/.exec(await browse(`/app/visibility/tracker?tracker=${id}`))?.[1] ?? ''
  const seen = await seenNow()
  expect(await send('/app/visibility/tracker/save', settings(id, { seen }))).toMatchObject({ ok: true })
  const late = settings(id, { seen, name: 'Roofs' })
  expect(await send('/app/visibility/tracker/save', late)).toMatchObject({ ok: false })
  expect((await gate.owner.rows(VisibilityTracker).get(id))?.name).toBe('Boilers')
  // A round that changed what the form does not show is no reason to refuse.
  const again = settings(id, { seen: await seenNow(), name: 'Roofs' })
  await gate.owner.rows(VisibilityTracker).update(id, { last_run_at: '2026-03-01T00:00:00.000Z' })
  expect(await send('/app/visibility/tracker/save', again)).toMatchObject({ ok: true })
  expect((await gate.owner.rows(VisibilityTracker).get(id))?.name).toBe('Roofs')
})

test('prompts are added once, paused, asked again and deleted', async () => {
  const id = await tracked()
  const act = (action: string, fields: Record<string, string>) =>
    send(`/app/visibility/tracker/${action}`, { tracker: id, id, ...fields })
  const text = 'Who repairs  boilers in leeds?\nWho fits kitchens?\nIs Northgate any good?'
  expect(await act('add', { text })).toMatchObject({ ok: true })
  const added = await promptsOf(id)
  expect(added.map(({ text, tags }) => [text, tags])).toEqual(
    expect.arrayContaining([
      ['Who fits kitchens?', []],
      ['Is Northgate any good?', ['branded']],
    ]),
  )
  expect(added).toHaveLength(3)
  expect(await act('add', { text })).toMatchObject({ ok: false, faults: { text: expect.anything() } })
  const prompt_id = added.find(({ text }) => text === 'Who fits kitchens?')?.id ?? ''
  expect(await act('pause-prompt', { prompt_id })).toMatchObject({ ok: true })
  expect(await browse(`/app/visibility/tracker?tracker=${id}&done=paused`)).toContain(
    'Its answers stay and count',
  )
  expect((await promptsOf(id)).find((one) => one.id === prompt_id)?.status).toBe('paused')
  expect(await act('remove-prompt', { prompt_id })).toMatchObject({ ok: true })
  expect(await promptsOf(id)).toHaveLength(2)
  expect(await act('resume-prompt', { prompt_id })).toMatchObject({ ok: false })
  const { shown } = await act('suggest', {})
  expect(shown?.suggestions).toContain('Which plumber in Leeds do you recommend?')
})

test('a form that is sent three times at once adds its prompts once, and a refused one adds none', async () => {
  const id = await tracked()
  const add = (text: string) => send('/app/visibility/tracker/add', { tracker: id, id, text })
  const answers = await Promise.all([1, 2, 3].map(() => add('Who fixes taps?\nWho fixes baths?')))
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await promptsOf(id)).toHaveLength(3)
  expect(await add('Who fixes roofs?\nWho fixes\0walls?')).toMatchObject({
    ok: false,
    faults: { text: expect.anything() },
  })
  expect(await promptsOf(id)).toHaveLength(3)
})

test('prompts of a new tracker that differ in case and spaces only are one', async () => {
  const id = await location()
  await send('/app/visibility/setup/begin', begun(id, { prompts: 'Who fixes taps?\nwho  fixes TAPS?' }))
  expect((await promptsOf((await trackerOf(id))?.id ?? '')).map(({ text }) => text)).toEqual([
    'Who fixes taps?',
  ])
})

test('the cost of this month begins at midnight in the time zone of the workspace, like the budget', async () => {
  const id = await tracked()
  const timezone = 'Pacific/Auckland'
  await gate.owner.rows(Workspace).update(gate.tenant.workspaceId, { timezone })
  const first = dayStart(timezone, `${dayIn(timezone, gate.owner.now()).slice(0, 7)}-01`)
  await gate.put(VisibilityRun, {
    tracker_id: id,
    prompt_id: 'vpr_1',
    location_id: 'loc_1',
    engine: 'chatgpt',
    country: 'GB',
    provider: 'direct',
    access: 'api',
    status: 'ok',
    batch_id: 'b',
    definition_version: 'visibility@2',
    brand_mentioned: false,
    brand_cited: false,
    competitor_mentions: [],
    search_queries: [],
    citations: [],
    cost: 7.31,
    started_at: new Date(Date.parse(first) + 60_000).toISOString(),
    local_day: dayIn(timezone, new Date(Date.parse(first) + 60_000)),
  })
  expect(await browse('/app/visibility/setup')).toContain('$7.31')
  await gate.owner.rows(Workspace).update(gate.tenant.workspaceId, { timezone: 'UTC' })
})

test('a tracker is paused, resumed and run from its page', async () => {
  const id = await tracked()
  const act = (action: string) => send(`/app/visibility/tracker/${action}`, { tracker: id, id })
  expect(await act('pause')).toMatchObject({ ok: true })
  expect(await browse(`/app/visibility/tracker?tracker=${id}`)).toContain('Resume')
  expect(await act('resume')).toMatchObject({ ok: true })
  expect((await gate.owner.rows(VisibilityTracker).get(id))?.is_active).toBe(true)
  expect(await act('run')).toMatchObject({ ok: true })
  const jobs = await gate.owner.rows(Job).list({ where: where.eq('queue', 'visibility-round') })
  expect(jobs.map(({ payload }) => payload)).toEqual([{ tracker_id: id, manual: true }])
})

test('nobody changes a tracker of another agency, and a hostile name stays text', async () => {
  const id = await tracked()
  const stranger = await signedIn(gate, { agencyId: gate.stranger.agencyId })
  const form = formOf({ csrf: stranger.session.csrf_token, tracker: id, id }, { cookie: stranger.cookie })
  const refused = await gate.ask('/app/visibility/tracker/pause', form)
  expect(refused.status).toBe(403)
  expect((await gate.owner.rows(VisibilityTracker).get(id))?.is_active).toBe(true)
  await send('/app/visibility/tracker/save', settings(id, { name: '<script>alert(1)</script>' }))
  expect(await browse(`/app/visibility/tracker?tracker=${id}`)).not.toContain('<script>alert')
})

test('a tracker is sure only until the day on which it asks again', async () => {
  const id = await tracked()
  const rows = gate.owner.rows(VisibilityTracker)
  const fault = { at: '2026-03-01T00:00:00.000Z', ran: 0, message: 'No engine could be reached.' }
  for (const [sure_until, isSure] of [
    ['2099-01-01', true],
    ['2020-01-01', false],
  ] as const) {
    await rows.update(id, { sure_until, last_run_summary: fault })
    const page = await browse(`/app/visibility/tracker?tracker=${id}`)
    expect([page.includes('Sure until'), page.includes('Active, with faults')]).toEqual([isSure, !isSure])
  }
})

test.each(['save', 'pause', 'resume', 'run', 'add', 'suggest', 'remove-prompt'])(
  'a member cannot %s, and nothing is changed',
  async (action) => {
    const id = await tracked()
    const before = [await gate.owner.rows(VisibilityTracker).get(id), await promptsOf(id)]
    const member = await signedIn(gate, { email: `${action}@example.com` })
    const role = { role: 'member' as const, workspace_ids: [gate.tenant.workspaceId] }
    await gate.owner.rows(User).update(member.userId, role)
    const [{ id: prompt_id = '' } = {}] = await promptsOf(id)
    const sent: Record<string, string> = {
      tracker: id,
      id,
      ...(action === 'remove-prompt' ? { prompt_id } : {}),
    }
    if (action === 'add') sent.text = 'Who fixes taps?'
    if (action === 'save')
      for (const [name, value] of Object.entries(settings(id))) sent[name] = String(value)
    const form = formOf({ csrf: member.session.csrf_token, ...sent }, { cookie: member.cookie })
    const { status } = await gate.ask(`/app/visibility/tracker/${action}`, form)
    expect(status).toBe(403)
    expect([await gate.owner.rows(VisibilityTracker).get(id), await promptsOf(id)]).toEqual(before)
  },
)
