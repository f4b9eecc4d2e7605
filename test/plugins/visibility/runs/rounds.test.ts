import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { zstdDecompressSync } from 'node:zlib'
import { localTime } from 'renown'
import { VisibilityPrompt } from '../../../../plugins/visibility/records/VisibilityPrompt'
import { VisibilityRun } from '../../../../plugins/visibility/records/VisibilityRun'
import { VisibilitySlot } from '../../../../plugins/visibility/records/VisibilitySlot'
import { VisibilityTracker } from '../../../../plugins/visibility/records/VisibilityTracker'
import { lostBatch } from '../../../../plugins/visibility/runs/lost-slots'
import { monthlyCost } from '../../../../plugins/visibility/runs/monthly-cost'
import { cellsOf, isRoundDay, minuteOf, nextDue } from '../../../../plugins/visibility/runs/slots'
import { brokenFault, limitedFault, type RoundsWorld, refusedFault, roundsWorld } from '../support/rounds'

let world: RoundsWorld
beforeEach(async () => {
  world = await roundsWorld()
  world.at('2026-03-15T23:59:30.000Z')
})
afterEach(() => world.stop())

const day = '2026-03-15'

describe('The questions of a tracker', () => {
  test('are put once a day for each prompt, engine and country', async () => {
    const id = await world.tracker({ countries: ['GB', 'IE'] })
    await world.prompts(id, 3)
    await world.round(id)
    await world.round(id)
    expect(world.asked.length).toBe(12)
    expect(
      new Set(world.asked.map(({ prompt, engine, country }) => `${prompt} ${engine} ${country}`)).size,
    ).toBe(12)
    world.at('2026-03-16T23:59:30.000Z')
    await world.round(id)
    expect(world.asked.length).toBe(24)
    expect((await world.runs()).length).toBe(24)
  })

  test('are spread over the day, and put when their minute has come', async () => {
    const id = await world.tracker()
    await world.prompts(id, 40)
    const counts: number[] = []
    for (const hour of ['00:00', '06:00', '12:00', '18:00', '23:59']) {
      world.at(`${day}T${hour}:30.000Z`)
      await world.round(id)
      counts.push(world.asked.length)
    }
    expect(counts.at(-1)).toBe(80)
    for (const [place, count] of counts.slice(1).entries())
      expect(count).toBeGreaterThan(counts[place] as number)
    expect((await world.read(id)).due_at).toBe('2026-03-16T00:00:00.000Z')
  })

  test('wait for the minute of the next one', async () => {
    const id = await world.tracker()
    await world.prompts(id, 2)
    world.at(`${day}T00:00:00.000Z`)
    await world.round(id)
    const { due_at = '' } = await world.read(id)
    const before = world.asked.length
    world.at(new Date(Date.parse(due_at) - 60_001).toISOString())
    await world.round(id)
    expect(world.asked.length).toBe(before)
    world.at(due_at)
    await world.round(id)
    expect(world.asked.length).toBe(before + 1)
  })

  test('are put on the days of the frequency, counted from the first', async () => {
    const id = await world.tracker({ run_frequency_hours: 72, created_date: '2026-03-15T00:00:00.000Z' })
    await world.prompts(id, 1)
    const days: number[] = []
    for (let place = 15; place < 25; place++) {
      world.at(`2026-03-${place}T23:59:30.000Z`)
      const before = world.asked.length
      await world.round(id)
      if (world.asked.length > before) days.push(place)
    }
    expect(days.map((one) => one - (days[0] as number))).toEqual([0, 3, 6, 9].slice(0, days.length))
    expect(days.length).toBeGreaterThan(2)
  })

  test('are not put by a tracker that is off, unless a person asks', async () => {
    const id = await world.tracker({ is_active: false })
    await world.prompts(id, 2)
    await world.round(id)
    expect(world.asked.length).toBe(0)
    world.at(`${day}T00:00:00.000Z`)
    await world.round(id, { manual: true })
    expect(world.asked.length).toBe(4)
    const { last_run_at, last_scheduled_run_at } = await world.read(id)
    expect<unknown>({ last_run_at, last_scheduled_run_at }).toEqual({ last_run_at: `${day}T00:00:00.000Z` })
    await world.round(id, { manual: true })
    expect(world.asked.length).toBe(4)
  })

  test('are put by two processes at the same time, each once', async () => {
    const id = await world.tracker()
    await world.prompts(id, 20)
    await Promise.all([world.round(id), world.round(id), world.round(id)])
    expect(new Set(world.asked.map(({ prompt, engine }) => `${prompt} ${engine}`)).size).toBe(40)
    expect(world.asked.length).toBe(40)
    expect((await world.runs()).length).toBe(40)
  })

  test('are put a hundred at a time, and the rest soon', async () => {
    const id = await world.tracker()
    await world.prompts(id, 80)
    await world.round(id)
    expect(world.asked.length).toBe(100)
    expect((await world.read(id)).due_at).toBe('2026-03-16T00:00:30.000Z')
  })
})

describe('A pass', () => {
  /** Counts the claims that a pass reads. */
  const claimsRead = async (id: string) => {
    let count = 0
    const rows = (entity: Parameters<typeof world.owner.rows>[0]) => {
      const own = world.owner.rows(entity)
      if (entity !== VisibilitySlot) return own
      const each: typeof own.each = async function* (query) {
        for await (const row of own.each(query)) {
          count++
          yield row
        }
      }
      return { ...own, each }
    }
    await world.round(id, {}, { ...world.owner, rows } as typeof world.owner)
    return count
  }

  test('reads only the claims of questions that became due since the last one', async () => {
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 90)
    world.at(`${day}T20:00:00.000Z`)
    await world.round(id)
    expect(world.asked.length).toBeGreaterThan(45)
    world.at(`${day}T20:20:00.000Z`)
    await world.round(id)
    world.at(`${day}T20:40:00.000Z`)
    expect(await claimsRead(id)).toBeLessThan(10)
  })

  test('finds the questions of a prompt that is added later in the day, and each of them once', async () => {
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 30)
    await world.round(id)
    expect(world.asked.length).toBe(30)
    await world.prompts(id, 3, 'Who is better')
    await world.round(id)
    await world.round(id)
    expect(world.asked.length).toBe(33)
    expect((await world.read(id)).due_at).toBe('2026-03-16T00:00:00.000Z')
  })

  test('stores the prompts that an interrupted set-up did not store', async () => {
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 1)
    const [{ text = '' } = {}] = await world.owner.rows(VisibilityPrompt).list()
    const planned = [text, 'Who sweeps chimneys?'].map((one) => ({
      text: one,
      language: 'en',
      country: 'GB',
      intent: 'commercial' as const,
      source: 'user' as const,
      tags: [],
    }))
    await world.owner.rows(VisibilityTracker).update(id, { planned })
    world.at('2026-03-16T23:59:30.000Z')
    await world.round(id)
    expect(world.asked.length).toBe(2)
    expect((await world.read(id)).planned).toBeUndefined()
    expect(await world.owner.rows(VisibilityPrompt).count()).toBe(2)
  })

  test('does not put off a prompt that a person adds while it ends', async () => {
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 2)
    const planned = `${day}T08:00:01.000Z`
    const rows = (entity: Parameters<typeof world.owner.rows>[0]) => {
      const own = world.owner.rows(entity)
      if (entity !== VisibilityPrompt) return own
      const updateMany: typeof own.updateMany = async (...given) => {
        await world.owner.rows(VisibilityTracker).update(id, { due_at: planned, sure_until: undefined })
        return own.updateMany(...given)
      }
      return { ...own, updateMany }
    }
    await world.round(id, {}, { ...world.owner, rows } as typeof world.owner)
    expect(world.asked.length).toBe(2)
    const { due_at, last_run_summary } = await world.read(id)
    expect(due_at).toBe(planned)
    expect(last_run_summary?.ran).toBe(2)
  })

  test('does not leave a question behind that an engine could not take', async () => {
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 40)
    world.at(`${day}T12:00:00.000Z`)
    world.world.behave = (_, place) => (place === 3 ? limitedFault(60_000) : { text: 'Acme' })
    await world.round(id)
    world.at(`${day}T23:59:30.000Z`)
    await world.round(id)
    expect((await world.runs()).length).toBe(40)
    expect(world.asked.length).toBe(41)
  })
})

describe('A process that is killed', () => {
  test('with the last question of a day is told by the next summary', async () => {
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 2)
    const stopped = new AbortController()
    world.world.behave = () => {
      stopped.abort(new Error('killed'))
      throw stopped.signal.reason
    }
    await world.round(id, { signal: stopped.signal }).catch(() => {})
    expect((await world.slots()).length).toBeGreaterThan(0)
    const claimed = (await world.slots()).length
    world.world.behave = () => ({ text: 'Acme' })
    // Too early for a question of the new day.
    world.at('2026-03-16T00:20:00.000Z')
    await world.owner.rows(VisibilityTracker).update(id, { run_frequency_hours: 48 })
    await world.round(id)
    const { last_run_summary } = await world.read(id)
    expect(last_run_summary).toMatchObject({ lost: claimed, errors: claimed, ran: 0, planned: 2 })
    expect(last_run_summary?.error_samples?.[0]).toBe(
      `${claimed} lost (chatgpt): Renown stopped while the engine was asked. The question is not asked again on this day.`,
    )
    expect((await world.slots()).filter(({ settled_at }) => !settled_at)).toEqual([])
  })

  test('before the answer came leaves an error, and the question is not put again', async () => {
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 3)
    const stopped = new AbortController()
    world.world.behave = (one, place) => {
      if (place < 1) return { text: `Acme ${one.prompt}` }
      stopped.abort(new Error('killed'))
      throw stopped.signal.reason
    }
    await expect(world.round(id, { signal: stopped.signal })).rejects.toThrow('killed')
    await world.round(id).catch(() => {})
    world.world.behave = (one) => ({ text: `Acme ${one.prompt}` })
    const before = world.asked.length
    await world.round(id)
    world.at('2026-03-16T00:20:00.000Z')
    await world.round(id)
    const runs = (await world.runs()).filter(({ local_day }) => local_day === day)
    expect(runs.length).toBe(3)
    expect(runs.filter(({ error }) => error?.includes('stopped while')).length).toBeGreaterThan(0)
    const all = world.asked.slice(0, before).map(({ prompt }) => prompt)
    expect(new Set(all).size).toBe(all.length)
    expect((await world.slots()).filter(({ settled_at }) => !settled_at)).toEqual([])
  })

  test('between the run and its claim leaves one run', async () => {
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 1)
    await world.round(id)
    const [slot] = await world.slots()
    await world.owner.rows(VisibilitySlot).update(slot?.id as string, { settled_at: undefined })
    world.at('2026-03-16T00:20:00.000Z')
    await world.round(id)
    expect((await world.runs()).filter(({ local_day }) => local_day === day).length).toBe(1)
  })
})

describe('A fault of an engine', () => {
  test('is an error of that question and no answer', async () => {
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 2)
    world.world.behave = (_, place) => (place === 0 ? brokenFault() : { text: 'Acme' })
    await world.round(id)
    const runs = await world.runs()
    expect(runs.map(({ status }) => status).sort()).toEqual(['error', 'ok'])
    expect(runs.find(({ status }) => status === 'error')?.error).toBe('unavailable: The engine answered 503')
    const { last_run_summary } = await world.read(id)
    expect(last_run_summary).toMatchObject({ ran: 1, errors: 1, planned: 2, truncated: false })
    expect(last_run_summary?.error_samples).toEqual(['chatgpt: unavailable: The engine answered 503'])
  })

  test('that limits it frees the question, which is put when the engine takes it again', async () => {
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 3)
    world.at(`${day}T23:00:00.000Z`)
    world.world.behave = () => limitedFault(600_000)
    await world.round(id, { manual: true })
    expect(await world.runs()).toEqual([])
    expect(await world.slots()).toEqual([])
    expect(world.asked.length).toBeLessThanOrEqual(2)
    expect((await world.read(id)).due_at).toBe(`${day}T23:10:00.000Z`)
    world.world.behave = () => ({ text: 'Acme' })
    await world.round(id, { manual: true })
    expect(await world.runs()).toEqual([])
    world.at(`${day}T23:10:00.000Z`)
    await world.round(id, { manual: true })
    expect((await world.runs()).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok'])
  })

  test('that refuses the key stops its questions for an hour, and no other engine', async () => {
    const id = await world.tracker()
    await world.prompts(id, 10)
    world.at(`${day}T12:00:00.000Z`)
    world.world.behave = ({ engine }) => (engine === 'claude' ? refusedFault() : { text: 'Acme' })
    await world.round(id, { manual: true })
    const runs = await world.runs()
    expect(runs.filter(({ engine }) => engine === 'chatgpt').length).toBe(10)
    expect(runs.filter(({ engine }) => engine === 'claude').length).toBeLessThanOrEqual(2)
    expect((await world.read(id)).last_run_summary?.error_samples?.[0]).toBe('claude: The key is refused')
  })

  test('for want of a key is said, and costs nothing', async () => {
    const id = await world.tracker()
    await world.prompts(id, 2)
    world.world.needs = { chatgpt: ['OPENAI_API_KEY'], claude: ['ANTHROPIC_API_KEY'] }
    await world.round(id)
    expect(world.asked).toEqual([])
    expect(await world.slots()).toEqual([])
    expect((await world.read(id)).last_run_summary).toEqual({
      at: '2026-03-15T23:59:30.000Z',
      ran: 0,
      message: 'chatgpt: unavailable: set OPENAI_API_KEY. claude: unavailable: set ANTHROPIC_API_KEY.',
    })
  })

  test('of a job that is given up is told in the tracker', async () => {
    const id = await world.tracker()
    await world.bury(id, 'The store is away.')
    const { last_run_summary, due_at } = await world.read(id)
    expect(last_run_summary).toEqual({
      at: '2026-03-15T23:59:30.000Z',
      ran: 0,
      message: 'The store is away.',
    })
    expect(due_at).toBe('2026-03-16T00:59:30.000Z')
  })
})

describe('A budget', () => {
  test('of searches ends the day, and says so', async () => {
    const id = await world.tracker({ engines: ['chatgpt'], budget: { search_calls_per_day: 9 } })
    await world.prompts(id, 10)
    await world.round(id)
    expect(world.asked.length).toBe(3)
    expect((await world.read(id)).last_run_summary).toMatchObject({
      ran: 3,
      planned: 10,
      truncated: true,
      quota_used: 9,
      quota_limit: 9,
    })
    expect((await world.read(id)).due_at).toBe('2026-03-16T00:00:00.000Z')
  })

  test('of a workspace holds for its trackers together', async () => {
    await world.stop()
    world = await roundsWorld({ VISIBILITY_SEARCHES_PER_DAY: '12' })
    world.at('2026-03-15T23:59:30.000Z')
    const ids = [await world.tracker({ engines: ['chatgpt'] }), await world.tracker({ engines: ['claude'] })]
    for (const id of ids) await world.prompts(id, 3)
    for (const id of ids) await world.round(id)
    expect(world.asked.length).toBe(4)
  })

  test('of money counts the closed days of a month once, and lost questions at the usual price', async () => {
    const id = await world.tracker({ engines: ['chatgpt'], budget: { usd_per_month: 10 } })
    await world.prompts(id, 4)
    for (const one of ['15', '16', '17', '18']) {
      world.at(`2026-03-${one}T23:59:30.000Z`)
      await world.round(id)
    }
    expect((await world.read(id)).spent).toEqual({
      month: '2026-03',
      until: '2026-03-16',
      answers: 8,
      usd: expect.closeTo(0.08, 9),
    })
    const tracker = await world.read(id)
    const cost = await monthlyCost(world.owner, tracker, '2026-03-18')
    expect(cost).toMatchObject({ usd: expect.closeTo(0.16, 9), answers: 16, lost: 0 })
    expect(await monthlyCost(world.owner, tracker, '2026-04-01')).toMatchObject({ usd: 0, answers: 0 })
    const [run] = await world.runs()
    const { id: _, created_date, updated_date, cost: __, ...rest } = run as NonNullable<typeof run>
    await world.owner.rows(VisibilityRun).insert({ ...rest, local_day: '2026-03-17', batch_id: lostBatch })
    expect((await monthlyCost(world.owner, tracker, '2026-03-18')).lost).toBe(1)
    // 16 answers and a lost one cost 17 cents, so that three more fit into 20.
    await world.owner.rows(VisibilityTracker).update(id, { budget: { usd_per_month: 0.2 } })
    world.at('2026-03-19T23:59:30.000Z')
    await world.round(id)
    expect(world.asked.length).toBe(16 + 3)
  })

  test('of money ends the month before it is passed', async () => {
    const id = await world.tracker({ engines: ['chatgpt'], budget: { usd_per_month: 0.055 } })
    await world.prompts(id, 4)
    await world.round(id)
    world.at('2026-03-16T23:59:30.000Z')
    await world.round(id)
    const spent = (await world.runs()).reduce((sum, { cost = 0 }) => sum + cost, 0)
    expect(spent).toBeLessThanOrEqual(0.055)
    expect(spent).toBeGreaterThan(0.03)
    expect((await world.read(id)).last_run_summary).toMatchObject({ truncated: true })
    world.at('2026-04-01T23:59:30.000Z')
    await world.round(id)
    expect((await world.runs()).filter(({ local_day }) => local_day === '2026-04-01').length).toBe(4)
  })
})

describe('A tracker that is sure', () => {
  test('stops as a whole until the next month, not counting prompts that name the brand', async () => {
    const id = await world.tracker({ stop_when: { half_width: 0.2, min_rounds: 3 } })
    await world.prompts(id, 10)
    await world.prompts(id, 1, 'Is Acme good')
    world.world.behave = ({ prompt }) => ({ text: /[02468]\?/.test(prompt) ? 'Acme' : 'Beta' })
    for (const one of ['15', '16', '17', '18', '19']) {
      world.at(`2026-03-${one}T23:59:30.000Z`)
      await world.round(id)
    }
    expect((await world.read(id)).sure_until).toBe('2026-04-01')
    expect(new Set((await world.runs()).map(({ local_day }) => local_day)).size).toBe(3)
    world.at('2026-04-01T23:59:30.000Z')
    await world.round(id)
    expect((await world.runs()).some(({ local_day }) => local_day === '2026-04-01')).toBe(true)
  })
})

describe('What is stored of an answer', () => {
  test('is the answer, its judgement, its sources and its cost, and the raw form', async () => {
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 1)
    world.world.behave = () => ({
      text: 'I recommend Acme, not Beta.',
      cited: [{ url: 'https://www.acme.example/a', title: 'Acme' }],
      consulted: [{ url: 'https://press.example/b', title: 'Press' }],
      raw: { id: 'resp_1' },
    })
    await world.round(id)
    const [run] = await world.runs()
    expect(run).toMatchObject({
      status: 'ok',
      engine: 'chatgpt',
      provider: 'direct',
      access: 'api',
      country: 'GB',
      local_day: day,
      model: 'model-1a',
      model_asked: 'model-1',
      place_pinned: 'country',
      search_calls: 1,
      cost: 0.01,
      cost_basis: 'computed',
      definition_version: 'visibility@3',
      brand_mentioned: true,
      brand_cited: true,
      stance: 'recommended',
      brand_position: 1,
      citations: [
        { domain: 'acme.example', is_own: true, cited: true, position: 1 },
        { domain: 'press.example', is_own: false, cited: false, position: 2 },
      ],
    })
    const [answer] = await world.answers()
    expect(JSON.parse(zstdDecompressSync(Buffer.from(answer?.raw ?? '', 'base64')).toString())).toEqual({
      id: 'resp_1',
    })
    expect(answer?.run_id).toBe(run?.id as string)
  })

  test('is no mention where the engine does not know the brand', async () => {
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 1)
    world.world.behave = () => ({ text: 'I have no information about Acme.' })
    await world.round(id)
    expect((await world.runs())[0]).toMatchObject({ brand_mentioned: false, stance: 'unknown_to_engine' })
  })

  test('says how an engine without an answer ended', async () => {
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 3)
    const ends = ['none', 'refusal', 'truncated'] as const
    world.world.behave = (_, place) => ({ text: 'no', ended: ends[place] as 'none' })
    await world.round(id)
    expect((await world.runs()).map(({ status }) => status).sort()).toEqual(['error', 'no_answer', 'refused'])
  })
})

describe('The scheduler', () => {
  test('queues the trackers that are due, each once', async () => {
    const id = await world.tracker()
    await world.tracker({ due_at: '2026-03-16T05:00:00.000Z' })
    await world.tracker({ is_active: false })
    await world.due()
    await world.due()
    expect((await world.jobs()).map(({ payload }) => payload)).toEqual([{ tracker_id: id }])
  })

  test('forgets claims of days that are long over', async () => {
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 1)
    await world.round(id)
    world.at('2026-03-22T00:00:00.000Z')
    await world.removeOld()
    expect((await world.slots()).length).toBe(1)
    world.at('2026-03-26T00:00:00.000Z')
    await world.removeOld()
    expect(await world.slots()).toEqual([])
  })

  test('keeps a claim whose question has no end yet, with the money that it holds, however old it is', async () => {
    const id = await world.tracker({ engines: ['chatgpt'] })
    await world.prompts(id, 2)
    await world.round(id)
    const [open] = await world.slots()
    const held = { settled_at: undefined, reserved_usd: 0.02 }
    await world.owner.rows(VisibilitySlot).update(String(open?.id), held)
    world.at('2026-05-01T00:00:00.000Z')
    await world.removeOld()
    expect(await world.slots()).toMatchObject([{ id: open?.id, reserved_usd: 0.02 }])
  })
})

describe('A slot', () => {
  const cells = cellsOf(
    { id: 'vtr_1', engines: ['chatgpt', 'claude'] },
    Array.from({ length: 500 }, (_, n) => ({ id: `vpr_${n}`, country: 'GB' })),
  )
  test('falls anywhere in the day, and elsewhere on each day', () => {
    const minutes = cells.map((cell) => minuteOf('vtr_1', cell, day))
    const hours = Map.groupBy(minutes, (minute) => Math.floor(minute / 60))
    expect(hours.size).toBe(24)
    for (const list of hours.values()) expect(list.length).toBeLessThan(90)
    expect(minutes).toEqual(cells.map((cell) => minuteOf('vtr_1', cell, day)))
    expect(minutes).not.toEqual(cells.map((cell) => minuteOf('vtr_1', cell, '2026-03-16')))
  })

  test('is of the local day', () => {
    expect(localTime('Pacific/Auckland', new Date('2026-03-15T11:30:00.000Z'))).toEqual({
      day: '2026-03-16',
      minute: 30,
    })
    expect(localTime('America/New_York', new Date('2026-03-15T03:30:00.000Z'))).toEqual({
      day: '2026-03-14',
      minute: 1410,
    })
    const tracker = { id: 'vtr_1', created_date: '2026-03-14T12:00:00.000Z', run_frequency_hours: 48 }
    expect(isRoundDay(tracker, 'Pacific/Auckland', '2026-03-15')).toBe(true)
    expect(isRoundDay(tracker, 'Pacific/Auckland', '2026-03-16')).toBe(false)
    expect(isRoundDay(tracker, 'Pacific/Auckland', '2026-03-14')).toBe(false)
    expect(nextDue(tracker, 'Pacific/Auckland', new Date('2026-03-16T01:00:00.000Z'), [])).toBe(
      '2026-03-16T11:00:00.000Z',
    )
  })
})
