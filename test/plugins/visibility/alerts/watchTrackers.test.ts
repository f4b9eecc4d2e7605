import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { shiftDay } from '../../../../core/kit/periods'
import { Workspace } from '../../../../core/product/tenancy-plugin'
import { publishedEvents } from '../../../support/published-events'
import { drawing, meanOf, scenarios } from '../measure/support'
import { type DayAnswer, dyingAt, type WatchedWorld, watchedWorld } from '../support/watched'

const isLong = process.env.RENOWN_LONG === '1'

let world: WatchedWorld
beforeEach(async () => {
  world = await watchedWorld()
})
afterEach(() => world.stop())

const engines = ['chatgpt', 'claude']
const promptCount = 12

/** Answers of one day: each prompt and engine names the brand on this share of the days, evenly spread. */
const dayOf = (day: number, shareOf: (engine: string) => number, more: Partial<DayAnswer> = {}) =>
  Array.from({ length: promptCount }, (_, prompt) =>
    engines.map((engine): DayAnswer => {
      const share = shareOf(engine)
      const turn = day + prompt
      return {
        prompt,
        engine,
        isMention: Math.floor((turn + 1) * share) > Math.floor(turn * share),
        ...more,
      }
    }),
  ).flat()

async function live(
  id: string,
  days: number,
  shareOf: (engine: string, day: number) => number,
  more: (day: number) => Partial<DayAnswer> = () => ({}),
) {
  for (let day = 0; day < days; day++) {
    await world.answer(
      id,
      dayOf(day, (engine) => shareOf(engine, day), more(day)),
    )
    await world.next()
  }
}

test.each([
  ['Pacific/Kiritimati', '2026-01-09T09:59:00.000Z', '2026-01-08'],
  ['Pacific/Kiritimati', '2026-01-09T10:00:00.000Z', '2026-01-09'],
  ['Etc/GMT+12', '2026-01-10T11:59:00.000Z', '2026-01-08'],
  ['Etc/GMT+12', '2026-01-10T12:00:00.000Z', '2026-01-09'],
])('a day is looked at when it is over in %s: at %s, until %s', async (timezone, now, until) => {
  await world.tracker(1)
  await world.owner.rows(Workspace).update(world.workspace_id, { timezone })
  world.bench.now = new Date(now)
  await world.watch()
  expect((await world.watches()).map(({ looked_until }) => looked_until)).toEqual([until])
})

describe('People are told of a change of the mention rate', () => {
  test('once, with both rates, the interval and since when', async () => {
    const id = await world.tracker(promptCount)
    await live(id, 40, (_, day) => (day < 14 ? 0.5 : 0.25))
    const news = await world.news()
    expect(news.length).toBe(1)
    const events = await publishedEvents(world.owner, 'visibility.')
    expect(events).toEqual([
      { type: 'visibility.changed', data: expect.objectContaining({ tracker_id: id, verdict: 'down' }) },
    ])
    expect(news[0]).toMatchObject({
      type: 'visibility_change',
      severity: 'warning',
      workspace_id: world.workspace_id,
      entity: 'VisibilityTracker',
      entity_id: id,
      title: 'AI assistants name Acme less often',
    })
    expect(news[0]?.body).toMatch(
      /^The mention rate went down from 50 % to 2[5-9](?:\.\d)? % since 14 Jan 2026\. With 95 % confidence, the fall is [\d.]+ to [\d.]+ points, .+ 24 pairs of prompt and assistant in common\.$/,
    )
  })

  test('upwards without a warning, and again when it falls later', async () => {
    const id = await world.tracker(promptCount)
    await live(id, 40, (_, day) => (day < 14 ? 0.25 : 0.6))
    await live(id, 30, () => 0.2)
    expect((await world.news()).map(({ severity }) => severity)).toEqual(['info', 'warning'])
  })

  test('once if the process dies meanwhile, wherever it dies', async () => {
    for (const isBefore of [true, false]) {
      for (let nth = 0; nth < 4; nth++) {
        const own = await watchedWorld()
        const id = await own.tracker(promptCount)
        for (let day = 0; day < 40; day++) {
          await own.answer(
            id,
            dayOf(day, () => (day < 14 ? 0.5 : 0.1)),
          )
          own.day = shiftDay(own.day, 1)
        }
        await own.next(dyingAt(own.owner, nth, isBefore)).catch(() => {})
        await own.watch()
        await own.next()
        expect({ isBefore, nth, told: (await own.news()).length }).toEqual({ isBefore, nth, told: 1 })
        await own.stop()
      }
    }
  })

  test('not where a model, the rules or the names changed, and later changes of them are told', async () => {
    const id = await world.tracker(promptCount)
    const other = await world.tracker(promptCount, { location_id: 'loc_2' })
    for (let day = 0; day < 30; day++) {
      const isChanged = day >= 16
      const share = isChanged ? 0.1 : 0.6
      await world.answer(
        id,
        dayOf(day, () => share, isChanged ? { model: 'model-2' } : {}),
      )
      await world.answer(
        other,
        dayOf(day, () => share, isChanged ? { definition: 'visibility@3' } : {}),
      )
      await world.next()
    }
    expect(await world.news()).toEqual([])
    await live(
      id,
      30,
      () => 0.7,
      () => ({ model: 'model-2' }),
    )
    expect((await world.news()).map(({ entity_id }) => entity_id)).toEqual([id])
  })

  test('not where the names that the tracker looks for were edited', async () => {
    const id = await world.tracker(promptCount)
    await live(id, 16, () => 0.2)
    await world.rename(id, ['Acme Ltd'])
    await live(id, 30, () => 0.8)
    expect(await world.news()).toEqual([])
  })

  test('not because of days on which an engine hardly answered', async () => {
    const id = await world.tracker(promptCount)
    await live(id, 20, () => 0.5)
    // Most runs fail, and the few answers never name the brand.
    for (let day = 0; day < 4; day++) {
      const answers = dayOf(day, () => 0).map((one) =>
        one.engine === 'chatgpt' && one.prompt > 1 ? { ...one, status: 'error' as const } : one,
      )
      await world.answer(
        id,
        answers.map((one) => (one.engine === 'claude' ? { ...one, isMention: one.prompt % 2 === 0 } : one)),
      )
      await world.next()
    }
    expect(await world.news()).toEqual([])
  })

  test('not for a demo', async () => {
    const id = await world.tracker(promptCount)
    await world.demo()
    await live(id, 30, (_, day) => (day < 14 ? 0.6 : 0.1))
    expect(await world.news()).toEqual([])
    expect(await world.watches()).toEqual([])
  })
})

describe('The series', () => {
  test('goes on without a change, and a late change is noticed soon', async () => {
    const id = await world.tracker(promptCount)
    await live(id, 80, () => 0.5)
    const [watch] = await world.watches()
    expect(watch).toMatchObject({ baseline_from: '2026-01-01' })
    await live(id, 14, () => 0.2)
    expect((await world.news()).map(({ severity }) => severity)).toEqual(['warning'])
    // The new series begins with the first day of the new rate, or a few days beside it.
    expect((await world.watches())[0]?.baseline_from).toMatch(/^2026-03-(1[89]|2[0-4])$/)
  })

  test('of a weekly tracker takes ten weeks before a change and three since', async () => {
    const id = await world.tracker(promptCount)
    for (let day = 0; day < 13 * 7; day++) {
      if (day % 7 === 0)
        await world.answer(
          id,
          dayOf(day, () => (day < 70 ? 0.75 : 0.08)),
        )
      await world.next()
      expect({ day, news: (await world.news()).length }).toEqual({ day, news: day < 84 ? 0 : 1 })
    }
  })

  test('begins with the answers that are already stored', async () => {
    const id = await world.tracker(promptCount)
    for (let day = 0; day < 30; day++) {
      await world.answer(
        id,
        dayOf(day, () => (day < 14 ? 0.6 : 0.1)),
      )
      world.day = shiftDay(world.day, 1)
    }
    await world.next()
    expect((await world.news()).length).toBe(1)
  })

  test('takes prompts that come or go for no change', async () => {
    const id = await world.tracker(promptCount)
    for (let day = 0; day < 40; day++) {
      const all = dayOf(day, () => 0.5)
      // From day 20 on, the prompts that name the brand most are no longer asked.
      await world.answer(
        id,
        all
          .map((one) => (one.prompt < 6 ? { ...one, isMention: true } : one))
          .filter(({ prompt }) => day < 20 || prompt >= 6),
      )
      await world.next()
    }
    expect(await world.news()).toEqual([])
  })
})

/** Whether a tracker without a change is told of one. */
const sizes = isLong ? { trackers: 100, prompts: 15 } : { trackers: 1, prompts: 8 }

test(
  `trackers without a change raise a false alarm in less than 1 of 100 cases, and a fall of 30 points is always noticed`,
  async () => {
    const draw = drawing(29)
    const trackers = await Promise.all(
      Object.values(scenarios).flatMap((rateOf) =>
        Array.from({ length: sizes.trackers }, async () => {
          const id = await world.tracker(sizes.prompts)
          const rates = Array.from({ length: sizes.prompts * engines.length }, () => rateOf(draw))
          return { id, rates }
        }),
      ),
    )
    const drawDay = (rates: readonly number[], change = 0) =>
      rates.map((rate, place): DayAnswer => {
        const logit = Math.log((rate + 1e-6) / (1 - rate + 1e-6)) + 0.8 * draw.normal()
        return {
          prompt: Math.floor(place / 2),
          engine: engines[place % 2] as string,
          isMention: draw.uniform() < 1 / (1 + Math.exp(-logit)) + change,
        }
      })
    for (let day = 0; day < 74; day++) {
      for (const { id, rates } of trackers) await world.answer(id, drawDay(rates))
      await world.next()
    }
    const alarms = (await world.news()).length
    expect(alarms / trackers.length).toBeLessThan(0.01)
    // What the watch is for. Brands that are seldom named cannot fall by 30 points.
    const often = trackers.filter(({ rates }) => meanOf(rates) > 0.35)
    expect(often.length).toBeGreaterThan(0)
    for (let day = 0; day < 30; day++) {
      for (const { id, rates } of trackers)
        await world.answer(id, drawDay(rates, often.some((one) => one.id === id) ? -0.3 : 0))
      await world.next()
    }
    const told = new Set((await world.news()).map(({ entity_id }) => entity_id))
    expect(often.filter(({ id }) => !told.has(id))).toEqual([])
  },
  isLong ? 1_800_000 : 300_000,
)
