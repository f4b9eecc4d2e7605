import { afterEach, beforeEach, expect, test } from 'bun:test'
import { where } from 'renown'
import { VisibilityPrompt } from '../../../../plugins/visibility/records/VisibilityPrompt'
import { suggestPrompts } from '../../../../plugins/visibility/tracking/suggest-prompts'
import { type RoundsWorld, roundsWorld } from '../support/rounds'

let world: RoundsWorld
beforeEach(async () => {
  world = await roundsWorld()
})
afterEach(() => world.stop())

test('trackers are listed with the end of their last attempt', async () => {
  const id = await world.tracker({ budget: { usd_per_month: 5 } })
  world.at('2026-03-16T12:00:00.000Z')
  await world.tracker({ is_active: false, name: 'Other' })
  await world.prompts(id, 2)
  await world.round(id, { manual: true })
  const { trackers } = (await world.bench.command('visibility tracker list', {})) as unknown as {
    trackers: object[]
  }
  expect(trackers).toEqual([
    {
      name: 'Acme',
      id,
      state: 'active',
      engines: 'chatgpt claude',
      last_attempt: '4 of 4 answers',
      usd_per_month: 5,
    },
    expect.objectContaining({
      name: 'Other',
      state: 'paused',
      last_attempt: 'none yet',
      usd_per_month: 'no limit',
    }),
  ])
})

test('a tracker is paused, resumed with another budget, and run by hand', async () => {
  const id = await world.tracker({ sure_until: '2026-04-01' })
  await world.bench.command('visibility tracker pause', { tracker_id: id })
  expect((await world.read(id)).is_active).toBe(false)
  await world.bench.command('visibility tracker resume', { tracker_id: id, usd_per_month: '12.5' })
  const tracker = await world.read(id)
  expect([tracker.is_active, tracker.budget, tracker.sure_until]).toEqual([
    true,
    { usd_per_month: 12.5 },
    undefined,
  ])
  await world.bench.command('visibility tracker run', { tracker_id: id })
  expect((await world.jobs()).map(({ payload }) => payload)).toEqual([{ tracker_id: id, manual: true }])
  await expect(world.bench.command('visibility tracker run', { tracker_id: 'vtr_none' })).rejects.toThrow(
    'There is no tracker',
  )
})

test('engines are listed with what they need', async () => {
  world.world.needs = { claude: ['ANTHROPIC_API_KEY'] }
  const { engines } = (await world.bench.command('visibility engine list', {})) as unknown as {
    engines: object[]
  }
  expect(engines.slice(0, 2)).toEqual([
    expect.objectContaining({ key: 'chatgpt', state: 'ready' }),
    expect.objectContaining({ key: 'claude', state: 'needs ANTHROPIC_API_KEY' }),
  ])
})

test('prompts are suggested in eight languages, with nothing left to fill in', () => {
  for (const language of ['en', 'de', 'fr', 'es', 'it', 'pt-BR', 'nl', 'ja', 'sv']) {
    const made = suggestPrompts({ name: 'Acme', category: 'plumber', city: 'Leeds', language })
    expect(made.length).toBe(5)
    expect(made.filter(({ text }) => text.includes('{'))).toEqual([])
    expect(made.filter(({ isBranded }) => isBranded).map(({ text }) => text.includes('Acme'))).toEqual([true])
  }
  expect(suggestPrompts({ name: 'Acme', city: 'Leeds', language: 'en' }).length).toBe(1)
  expect(suggestPrompts({ name: 'Acme', category: 'plumber', language: 'en' })).toEqual([])
})

const command = (name: string, input: object) => world.bench.command(name, input as never)

test('a tracker is changed by command as on its page, and what is left out stays', async () => {
  const id = await world.tracker({ brand_aliases: ['Acme Ltd'], budget: { search_calls_per_day: 9 } })
  await world.prompts(id, 2)
  const changed = await command('visibility tracker update', {
    tracker_id: id,
    competitors: 'Drain Doctors, draindoctors.example; Smith, Jones & Co',
    engines: 'claude',
    countries: 'gb ie',
    usd_per_month: '20',
    stop_at: '5',
    every_days: '2',
  })
  expect(changed).toMatchObject({
    brand_aliases: ['Acme Ltd'],
    engines: ['claude'],
    countries: ['GB', 'IE'],
    competitors: [{ name: 'Drain Doctors', domain: 'draindoctors.example' }, { name: 'Smith, Jones & Co' }],
    budget: { usd_per_month: 20, search_calls_per_day: 9 },
    forecast: { cells: 4, answers: 60, usd_basis: 'assumed', basis: 'assumed' },
  })
  const cleared = await command('visibility tracker update', {
    tracker_id: id,
    countries: '',
    usd_per_month: '',
  })
  expect(cleared).toMatchObject({ countries: [], budget: { search_calls_per_day: 9 } })
  expect((await world.read(id)).countries).toBeUndefined()
  await expect(command('visibility tracker update', { tracker_id: id, engines: 'gemini' })).rejects.toThrow(
    'gemini cannot be asked by direct. Accepted: chatgpt, claude',
  )
})

test('a forecast uses the measured price and the measured spread of answers', async () => {
  const id = await world.tracker({ engines: ['chatgpt'], stop_when: { half_width: 0.05, min_rounds: 3 } })
  await world.prompts(id, 12)
  for (const [day, share] of [
    ['2026-03-14', 2],
    ['2026-03-15', 2],
    ['2026-03-16', 3],
  ] as const) {
    world.at(`${day}T23:59:00.000Z`)
    world.world.behave = (_, place) => ({
      text: place % share === 0 ? 'Acme is good' : 'Beta is good',
      cost: { usd: 0.05, basis: 'reported' },
    })
    await world.round(id, { manual: true })
  }
  const { forecast } = (await command('visibility tracker update', { tracker_id: id })) as unknown as {
    forecast: { usd_per_answer: number; usd_basis: string; basis: string; usd: number; answers: number }
  }
  expect(forecast).toMatchObject({ usd_basis: 'measured', basis: 'measured', answers: 360, usd: 18 })
})

test('an added prompt is of the country of the tracker, else of its prompts, and never guessed', async () => {
  const added = async (tracker_id: string) => {
    const text = `Who sells ${crypto.randomUUID()}?`
    await command('visibility prompt add', { tracker_id, text })
    const rows = await world.bench.owner.rows(VisibilityPrompt).list({ where: where.eq('text', text) })
    return rows[0]?.country
  }
  const id = await world.tracker()
  await expect(added(id)).rejects.toThrow('Name the country')
  await world.prompts(id, 1)
  await world.bench.owner.rows(VisibilityPrompt).updateWhere(where.eq('tracker_id', id), { country: 'CH' })
  expect(await added(id)).toBe('CH')
  await command('visibility tracker update', { tracker_id: id, countries: 'ie gb' })
  expect(await added(id)).toBe('IE')
})

test('prompts are listed, added, paused and removed by command', async () => {
  const id = await world.tracker({ countries: ['GB'] })
  await command('visibility prompt add', { tracker_id: id, text: 'Who sells anvils?' })
  await expect(
    command('visibility prompt add', { tracker_id: id, text: ' who sells  anvils? ' }),
  ).rejects.toThrow('has this prompt already')
  const listed = async () =>
    (
      (await command('visibility prompt list', { tracker_id: id })) as unknown as {
        prompts: { id: string; status: string }[]
      }
    ).prompts
  const [prompt] = await listed()
  const ids = { tracker_id: id, prompt_id: prompt?.id ?? '' }
  await command('visibility prompt pause', ids)
  expect((await listed())[0]?.status).toBe('paused')
  await command('visibility prompt resume', ids)
  expect((await listed())[0]?.status).toBe('active')
  await command('visibility prompt remove', ids)
  expect(await listed()).toEqual([])
  await expect(command('visibility prompt remove', ids)).rejects.toMatchObject({
    code: 'not_found',
    details: { hint: expect.stringContaining('visibility prompt list') },
  })
})
