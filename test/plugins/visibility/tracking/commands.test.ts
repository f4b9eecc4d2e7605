import { afterEach, beforeEach, expect, test } from 'bun:test'
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
  const { trackers } = (await world.bench.command('visibility list', {})) as unknown as { trackers: object[] }
  expect(trackers).toEqual([
    {
      ...{ name: 'Acme', id, state: 'active', engines: 'chatgpt claude' },
      ...{ last_attempt: '4 of 4 answers', usd_per_month: 5 },
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
  await world.bench.command('visibility pause', { tracker_id: id })
  expect((await world.read(id)).is_active).toBe(false)
  await world.bench.command('visibility resume', { tracker_id: id, usd_per_month: '12.5' })
  const tracker = await world.read(id)
  expect([tracker.is_active, tracker.budget, tracker.sure_until]).toEqual([
    true,
    { usd_per_month: 12.5 },
    undefined,
  ])
  await world.bench.command('visibility run', { tracker_id: id })
  expect((await world.jobs()).map(({ payload }) => payload)).toEqual([
    { tracker_id: id, manual: true },
  ] as never)
  await expect(world.bench.command('visibility run', { tracker_id: 'vtr_none' })).rejects.toThrow(
    'There is no tracker',
  )
})

test('engines are listed with what they need', async () => {
  world.world.needs = { claude: ['ANTHROPIC_API_KEY'] }
  const { engines } = (await world.bench.command('visibility engines', {})) as unknown as {
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
