import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ServiceFault } from 'renown'
import { ServiceDay } from '../../../../core/outbound/limits/ServiceDay'
import { VisibilitySlot } from '../../../../plugins/visibility/records/VisibilitySlot'
import { monthlyCost, mostSpent } from '../../../../plugins/visibility/runs/monthly-cost'
import { passTime } from '../../../support/wait-for'
import { limitedFault, type RoundsWorld, roundsWorld } from '../support/rounds'

let world: RoundsWorld
beforeEach(async () => {
  world = await roundsWorld()
  world.at('2026-03-15T23:59:30.000Z')
})
afterEach(() => world.stop())

const lost = () => new ServiceFault('transient', 'no answer within 120 s', { code: 'no_answer' })
const unreadable = () => new ServiceFault('transient', 'It is not JSON', { code: 'unreadable' })
const unknown = { cost: { usd: null, basis: 'unknown' as const } }

/** Ways in which nobody says what a question cost. Each of them really costs 0.05. */
const silent = {
  'answers without a known cost': () => ({ text: 'Acme', ...unknown }),
  timeouts: lost,
  'answers that cannot be read': unreadable,
  'empty answers without a known cost': () => ({ text: '', ...unknown }),
  'cut answers without a known cost': () => ({ text: 'Acme is', ended: 'truncated' as const, ...unknown }),
  'limits that are reported with status 200': () => new ServiceFault('rate', 'Slow down', { code: '200' }),
}

describe('A budget of dollars', () => {
  test.each(Object.entries(silent))('counts %s with the most that they can cost', async (_, behave) => {
    world.world.limit = { usd: 0.05 }
    world.world.behave = behave
    const id = await world.tracker({ engines: ['chatgpt'], budget: { usd_per_month: 0.2 } })
    await world.prompts(id, 30)
    await world.round(id)
    expect(world.asked.length).toBeGreaterThanOrEqual(1)
    expect(world.asked.length * 0.05).toBeLessThanOrEqual(0.2)
    const runs = await world.runs()
    expect(runs.map(({ cost, cost_basis }) => [cost, cost_basis])).toEqual(runs.map(() => [0.05, 'at_most']))
    expect(runs.length).toBe(world.asked.length)
  })

  test('does not count a question that was refused', async () => {
    world.world.behave = () =>
      new ServiceFault('permanent', 'The key is refused', { code: '401', delivery: 'refused' })
    const id = await world.tracker({ engines: ['chatgpt'], budget: { usd_per_month: 0.2 } })
    await world.prompts(id, 2)
    await world.round(id)
    const [run] = await world.runs()
    expect([run?.status, run?.cost, run?.cost_basis]).toEqual(['error', undefined, undefined])
    expect(mostSpent(await monthlyCost(world.owner, await world.read(id), '2026-03-15'))).toBe(0)
  })

  test('is passed by one question at most, however many are asked at once and whatever they cost', async () => {
    world.world.limit = { usd: 0.05 }
    for (const budget of [0.02, 0.11, 0.3]) {
      const before = world.asked.length
      let place = 0
      world.world.behave = async () => {
        await passTime(3)
        const usd = [0.001, 0.05, 0.01, 0.05, 0.05][place++ % 5] as number
        return { text: 'Acme', cost: { usd, basis: 'computed' as const } }
      }
      const id = await world.tracker({ budget: { usd_per_month: budget } })
      await world.prompts(id, 20)
      // A round of a person beside the scheduled one.
      await Promise.all([world.round(id), world.round(id, { manual: true })])
      const spent = (await world.runs())
        .filter(({ tracker_id }) => tracker_id === id)
        .reduce((sum, { cost = 0 }) => sum + cost, 0)
      expect(world.asked.length).toBeGreaterThan(before)
      expect([budget, spent <= budget + 0.05]).toEqual([budget, true])
    }
  })

  test('is passed by one question at most, also where answers cost more than their most', async () => {
    world.world.limit = { usd: 0.02 }
    for (const budget of [0.02, 0.06, 0.3, 0.7]) {
      world.world.behave = async () => {
        await passTime(3)
        return { text: 'Acme', cost: { usd: 0.2, basis: 'reported' as const } }
      }
      const id = await world.tracker({ budget: { usd_per_month: budget } })
      await world.prompts(id, 20)
      await Promise.all([world.round(id), world.round(id, { manual: true })])
      const own = (await world.runs()).filter(({ tracker_id }) => tracker_id === id)
      const spent = own.reduce((sum, { cost = 0 }) => sum + cost, 0)
      expect(own.length).toBeGreaterThan(0)
      expect([budget, spent, spent <= budget + 0.2001]).toEqual([budget, spent, true])
    }
  })

  test('of zero asks nothing', async () => {
    const id = await world.tracker({ engines: ['chatgpt'], budget: { usd_per_month: 0 } })
    await world.prompts(id, 2)
    await world.round(id)
    expect(world.asked.length).toBe(0)
    expect((await world.read(id)).last_run_summary?.message).toBe(
      'The budget of $0 for this month is used up.',
    )
  })

  test('is not risked with an engine whose largest price nobody knows', async () => {
    world.world.limit = { usd: null, because: 'The plugin does not say it.' }
    const id = await world.tracker({ engines: ['chatgpt'], budget: { usd_per_month: 10 } })
    await world.prompts(id, 2)
    await world.round(id)
    expect(world.asked.length).toBe(0)
    expect((await world.read(id)).holds?.[0]?.reason).toContain('The budget cannot be kept.')
    // Without a budget it is asked.
    const free = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(free, 2)
    await world.round(free)
    expect(world.asked.length).toBe(2)
    expect((await world.runs()).map(({ cost }) => cost)).toEqual([0.01, 0.01])
  })

  test('holds what a killed process may have spent until its questions have runs, and loses no other question', async () => {
    world.world.limit = { usd: 0.05 }
    const id = await world.tracker({ engines: ['chatgpt'], budget: { usd_per_month: 0.2 } })
    await world.prompts(id, 6)
    const stop = new AbortController()
    world.world.behave = () => {
      stop.abort(new Error('the process ends'))
      return lost()
    }
    await world.round(id, { signal: stop.signal }).catch(() => {})
    const open = await world.owner.rows(VisibilitySlot).list({})
    expect(open.length).toBeGreaterThan(0)
    expect(open.map(({ reserved_usd }) => reserved_usd)).toEqual(open.map(() => 0.05))
    const read = () => world.read(id).then((tracker) => monthlyCost(world.owner, tracker, '2026-03-15'))
    expect(mostSpent(await read())).toBeCloseTo(open.length * 0.05, 9)
    // 15 minutes later, on the same day of the month, its questions have runs with the most that they can have cost.
    world.at('2026-03-16T23:59:30.000Z')
    world.world.behave = () => ({ text: 'Acme', cost: { usd: 0.05, basis: 'computed' as const } })
    await world.round(id)
    const runs = await world.runs()
    const spent = runs.reduce((sum, { cost = 0 }) => sum + cost, 0)
    expect(runs.filter(({ batch_id }) => batch_id === 'lost').map(({ cost_basis }) => cost_basis)).toEqual(
      open.map(() => 'at_most'),
    )
    expect(spent).toBeLessThanOrEqual(0.2 + 1e-9)
    expect(spent).toBeGreaterThan(0.1)
    expect((await read()).reserved).toBe(0)
  })
})

const usedToday = async (provider: string) =>
  (await world.owner.rows(ServiceDay).list({}))
    .filter(({ id }) => id.startsWith(`${provider}:`))
    .reduce((sum, { used }) => sum + used, 0)

describe('A limit of searches', () => {
  test('counts every search of an answer, also beyond those that were reserved', async () => {
    world.world.behave = () => ({ text: 'Acme', searchCalls: 8 })
    const id = await world.tracker({ engines: ['chatgpt'], budget: { search_calls_per_day: 12 } })
    await world.prompts(id, 10)
    await world.round(id)
    // Two at once reserve three searches each. Their sixteen searches leave nothing for a third.
    expect(world.asked.length).toBe(2)
    expect(await usedToday('visibility-tracker')).toBe(16)
    expect(await usedToday('visibility')).toBe(16)
    expect((await world.read(id)).last_run_summary).toMatchObject({ truncated: true, quota_used: 16 })
  })

  test('is not passed by an engine that says how often it may search, and what it did not use is given back', async () => {
    await world.stop()
    world = await roundsWorld({}, { searchesLimit: 8 })
    world.at('2026-03-15T23:59:30.000Z')
    let place = 0
    world.world.behave = () => ({ text: 'Acme', searchCalls: [8, 1, 5][place++ % 3] as number })
    const id = await world.tracker({ engines: ['chatgpt'], budget: { search_calls_per_day: 20 } })
    await world.prompts(id, 10)
    await world.round(id)
    const real = world.asked.length
    expect(real).toBeGreaterThanOrEqual(3)
    expect(await usedToday('visibility-tracker')).toBeLessThanOrEqual(20)
  })

  test('gives back what a refused question did not use', async () => {
    world.world.behave = () => limitedFault(60_000)
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 1)
    await world.round(id)
    expect(await usedToday('visibility')).toBe(0)
    expect(await world.slots()).toEqual([])
  })
})

describe('What is odd about an answer', () => {
  test('is stored with it, and its text counts', async () => {
    world.world.behave = () => ({ text: 'Acme is good', odd: ['usage is missing'], ...unknown })
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 1)
    await world.round(id)
    expect(await world.runs()).toMatchObject([
      { status: 'ok', brand_mentioned: true, odd_parts: ['usage is missing'], cost_basis: 'at_most' },
    ])
  })

  test('makes an answer without a text unreadable, never an answer that says nothing', async () => {
    world.world.behave = () => ({ text: '', odd: ['a part of the unknown type message_v2'] })
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 1)
    await world.round(id)
    const [run] = await world.runs()
    expect(run).toMatchObject({ status: 'error', cost: 0.01, cost_basis: 'computed' })
    expect(run?.error).toContain('message_v2')
  })

  test('keeps the part of a cut answer that came', async () => {
    world.world.behave = () => ({ text: 'Acme is', ended: 'truncated' as const })
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 1)
    await world.round(id)
    const [run] = await world.runs()
    expect(run).toMatchObject({ status: 'error', answer_text: 'Acme is', brand_mentioned: false, cost: 0.01 })
    expect(run?.error).toStartWith('truncated: ')
  })
})
