import { afterEach, beforeEach, expect, test } from 'bun:test'
import * as v from 'valibot'
import type { ReadContext } from '../../../../core/contracts/context'
import type { AnyEntity } from '../../../../core/contracts/entity'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import { where } from '../../../../core/contracts/where'
import { dayIn, shiftDay } from '../../../../core/kit/periods'
import { Workspace } from '../../../../core/product/tenancy-plugin'
import { openMongo } from '../../../../core/stores/documents/mongo'
import type { Documents } from '../../../../core/stores/documents/port'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import { getPromptPerformance } from '../../../../plugins/visibility/operations/getPromptPerformance'
import { getShareOfVoice } from '../../../../plugins/visibility/operations/getShareOfVoice'
import { getVisibilitySummary } from '../../../../plugins/visibility/operations/getVisibilitySummary'
import { listCitedSources } from '../../../../plugins/visibility/operations/listCitedSources'
import { VisibilityRun } from '../../../../plugins/visibility/records/VisibilityRun'
import { sumNames, sumTable } from '../../../../plugins/visibility/records/VisibilitySum'
import { VisibilityTracker } from '../../../../plugins/visibility/records/VisibilityTracker'
import { type Namings, voicesOf } from '../../../../plugins/visibility/sums/named-sums'
import { type SumQuery, sumRuns } from '../../../../plugins/visibility/sums/sum-runs'
import { spanOf, type Tracked, trackedBy } from '../../../../plugins/visibility/sums/tracked'
import { describeStores, mongoUri } from '../../../support/mongo'
import { quietLog as log } from '../../../support/quiet-log'
import { randomSource } from '../../../support/random-documents'
import { type SealedWorld, sealedWorld } from '../support/sealed-world'

/** The quick run compares fewer random sums, and dies at one of three writes. */
const isLong = process.env.RENOWN_LONG === '1'
const now = () => new Date()
const stores = {
  SQLite: (): Promise<Documents> => openSqlite({ path: ':memory:', now, log }),
  MongoDB: (): Promise<Documents> => openMongo({ uri: mongoUri() ?? '', now, log }),
}

describeStores(stores, 'Sums in columns beside %s', (_, open) => {
  let world: SealedWorld
  beforeEach(async () => {
    world = await sealedWorld(await open())
  })
  afterEach(() => world.stop())

  const period = { date_from: '2026-01-30', date_to: '2026-03-04' }
  /** What the operations answer in a request of their own. */
  const answers = async () => {
    const ask = () => world.request()
    const all = [
      await getVisibilitySummary.run(ask(), v.parse(getVisibilitySummary.input, period)),
      await listCitedSources.run(ask(), v.parse(listCitedSources.input, period)),
      await listCitedSources.run(ask(), v.parse(listCitedSources.input, { ...period, own: false, limit: 1 })),
    ] as unknown[]
    for (const tracker_id of world.trackers) {
      const one = { tracker_id, ...period, engine: 'chatgpt' }
      all.push(await getPromptPerformance.run(ask(), v.parse(getPromptPerformance.input, one)))
      all.push(await getShareOfVoice.run(ask(), v.parse(getShareOfVoice.input, { tracker_id, ...period })))
    }
    return all
  }
  const few = async () => [
    await getVisibilitySummary.run(world.request(), v.parse(getVisibilitySummary.input, period)),
    await listCitedSources.run(world.request(), v.parse(listCitedSources.input, period)),
  ]
  const isSealed = async () => (await trackedBy(world.request(), {})).sealed !== null
  /** Trackers with few runs are read from documents alone. */
  const expectEqual = async (read: () => Promise<unknown[]> = few) => {
    await world.resize(0)
    expect(await isSealed()).toBe(false)
    const expected = await read()
    await world.resize(20_000)
    expect(await isSealed()).toBe(true)
    expect(await read()).toEqual(expected)
  }

  test('answer as the documents do, with incidents, open days and runs that are not sealed yet', async () => {
    await world.add('2026-01-24', 12, 3)
    await world.seal()
    await world.add('2026-02-28', 3)
    await expectEqual(answers)
    await expectEqualSums()
    await expectEqualVoices()
    await world.seal()
    expect(await world.owner.rows(VisibilityRun).count(where.eq('is_sealed', null))).toBe(0)
    await expectEqual()
    const summary = await getVisibilitySummary.run(
      world.request(),
      v.parse(getVisibilitySummary.input, period),
    )
    expect(summary.incidents.map(({ engine, day }) => `${engine} ${day}`)).toContain('claude 2026-02-20')
  })

  /** Compares random periods, groups and days that are left out. */
  const expectEqualSums = async () => {
    const ctx = world.request()
    const tracked = await trackedBy(ctx, {})
    expect(tracked.sealed).not.toBeNull()
    const random = randomSource(7)
    const keys = ['tracker_id', 'prompt_id', 'engine', 'country', 'model_asked'] as const
    const parts = ['statuses', 'brand', 'stances', 'places', 'firsts', 'costs'] as const
    const some = <T>(list: readonly T[]) => list.filter(() => random.below(3) === 0)
    for (let round = 0; round < (isLong ? 40 : 6); round++) {
      const by = some(keys)
      const isCell = by.includes('prompt_id')
      const query: SumQuery = {
        by: by.filter((key) => !isCell || key !== 'model_asked'),
        of: isCell ? (['brand', 'stances', 'places'] as const) : [parts[random.below(6)] ?? 'brand'],
        ...(random.below(2) === 0 && {
          stretch: (['day', 'week', 'month'] as const)[random.below(3)] ?? 'day',
        }),
      }
      const days = { date_from: shiftDay('2026-01-20', random.below(20)), date_to: '' }
      days.date_to = shiftDay(days.date_from, random.below(45))
      const scope = random.below(3) === 0 ? { engine: 'claude', country: 'GB' } : {}
      const without = Array.from({ length: random.below(4) }, () => ({
        engine: 'chatgpt',
        day: shiftDay('2026-01-20', random.below(45)),
      }))
      expect({ query, days, rows: await rowsOf(ctx, { ...tracked, scope }, days, without, query) }).toEqual({
        query,
        days,
        rows: await rowsOf(ctx, { ...tracked, scope, sealed: null }, days, without, query),
      })
    }
  }

  /** Compares whom answers to all and to branded prompts name, in random periods. */
  const expectEqualVoices = async () => {
    const ctx = world.request()
    const tracked = await trackedBy(ctx, {})
    const random = randomSource(11)
    let branded = 0
    for (let round = 0; round < (isLong ? 40 : 8); round++) {
      const days = { date_from: shiftDay('2026-01-20', random.below(20)), date_to: '' }
      days.date_to = shiftDay(days.date_from, random.below(45))
      const tracker = await world.owner.rows(VisibilityTracker).get(world.trackers[round % 2] ?? '')
      if (!tracker) throw new Error('The tracker is gone')
      const narrowed = random.below(2) === 0 ? { engine: 'chatgpt', country: 'GB' } : {}
      const scope = { tracker_id: tracker.id, ...narrowed }
      const [sealed, plain] = await Promise.all(
        [tracked.sealed, null].map((sealed) =>
          voicesOf(ctx, tracker, spanOf({ ...tracked, scope, sealed }, days)),
        ),
      )
      expect(namingsOf(sealed?.branded)).toEqual(namingsOf(plain?.branded))
      expect(sealed?.all.voices).toEqual(plain?.all.voices)
      branded += sealed?.branded.namings ?? 0
    }
    expect(branded).toBeGreaterThan(20)
  }
  const namingsOf = (heard: Namings | undefined) =>
    heard && {
      answers: heard.answers,
      namings: heard.namings,
      voices: [...heard.voices].map(([name, { answers }]) => [name, answers]),
    }

  test('read today from documents while a round runs, and from columns after it', async () => {
    await world.add('2026-02-01', 1)
    const today = () => dayIn(world.world.timezone, world.world.now)
    const openToday = async () => {
      await world.resize(20_000)
      return (await trackedBy(world.request(), {})).sealed?.open.has(today())
    }
    const isEqual = async () => {
      const input = v.parse(getVisibilitySummary.input, { days: 3 })
      const read = () => getVisibilitySummary.run(world.request(), input)
      const fromColumns = await read()
      expect(fromColumns.totals.runs).toBeGreaterThan(0)
      await world.resize(0)
      expect(fromColumns).toEqual(await read())
    }
    // Far from midnight, so that today does not end while the test runs.
    world.world.now = new Date(`${shiftDay(new Date().toISOString().slice(0, 10), 2)}T12:00:00.000Z`)
    await world.add(today(), 1)
    await world.seal(world.owner, 5)
    expect(await openToday()).toBe(true)
    await isEqual()
    await world.seal(world.owner, 20)
    expect(await openToday()).toBe(false)
    await isEqual()
    // A run that comes later opens the day again.
    await world.add(today(), 1)
    expect(await openToday()).toBe(true)
    await isEqual()
    await world.seal(world.owner, 20)
    expect(await openToday()).toBe(false)
    await isEqual()
  })

  test('are read once for each version of the rows', async () => {
    await world.add('2026-02-01', 3)
    await world.seal()
    await world.resize(20_000)
    const count = async () => {
      const before = world.statements()
      const answer = await getVisibilitySummary.run(
        world.request(),
        v.parse(getVisibilitySummary.input, period),
      )
      return { statements: world.statements() - before, runs: answer.totals.runs }
    }
    const first = await count()
    expect(first.statements).toBeGreaterThan(2)
    // The embedded engine answers only for this process, so that even the version needs no statement.
    expect(await count()).toEqual({ ...first, statements: 0 })
    await world.add('2026-02-02', 1)
    await world.seal()
    await world.resize(20_000)
    const again = await count()
    expect(again.statements).toBe(first.statements)
    expect(again.runs).toBeGreaterThan(first.runs)
  })

  test('are written again where a score or the time zone changed, or a store was lost or restored', async () => {
    await world.add('2026-01-30', 4)
    await world.seal()
    const before = await world.owner.rows(VisibilityRun).list({ limit: 20 })
    const trackers = await world.owner.rows(VisibilityTracker).list()
    for (const { id, brand_mentioned } of before)
      await world.owner.rows(VisibilityRun).update(id, {
        brand_mentioned: !brand_mentioned,
        competitor_mentions: [],
        citations: [],
        is_sealed: undefined,
      })
    await expectEqual()
    await world.seal()
    await expectEqual()

    // The documents are restored from before the scores changed, the columns are not.
    for (const { id, brand_mentioned, competitor_mentions, citations } of before)
      await world.owner
        .rows(VisibilityRun)
        .update(id, { brand_mentioned, competitor_mentions, citations, is_sealed: true })
    for (const { id, sealed } of trackers) await world.owner.rows(VisibilityTracker).update(id, { sealed })
    await world.resize(20_000)
    expect(await isSealed()).toBe(false)
    await world.seal()
    await expectEqual()

    world.world.timezone = 'Pacific/Auckland'
    await world.owner.rows(Workspace).update(world.workspace_id, { timezone: 'Pacific/Auckland' })
    await world.resize(20_000)
    expect(await isSealed()).toBe(false)
    await world.seal()
    await expectEqual()

    // Rows as an earlier version of Renown wrote them.
    await world.columns.remove(sumTable.name, 'kind', ['beside'])
    for (const { id, sealed } of await world.owner.rows(VisibilityTracker).list())
      if (sealed)
        await world.owner
          .rows(VisibilityTracker)
          .update(id, { sealed: { ...sealed, version: '2 Pacific/Auckland' } })
    expect(await isSealed()).toBe(false)
    await world.seal()
    await expectEqual(answers)

    await world.columns.remove(sumTable.name, 'workspace_id', [world.workspace_id])
    await world.resize(20_000)
    expect(await isSealed()).toBe(false)
    await world.seal()
    await expectEqual()

    // Rows of some days were lost. The daily comparison finds them.
    await world.columns.remove(sumTable.name, 'start', ['2026-02-01', '2026-02-02'])
    world.world.now = new Date(world.world.now.getTime() + 86_400_000)
    await world.seal()
    await expectEqual()
  })

  test('count once, wherever the process dies that writes them', async () => {
    for (let nth = 0; nth < 9; nth++) {
      if (!isLong && nth % 3 !== 0) continue
      await world.add(`2026-02-0${nth + 1}`, 1)
      let writes = 0
      const dying =
        <A extends unknown[], R>(write: (...given: A) => Promise<R>) =>
        async (...given: A): Promise<R> => {
          const isLast = writes++ === nth
          if (isLast && nth % 2 === 0) throw new Error('killed')
          const done = await write(...given)
          if (isLast) throw new Error('killed')
          return done
        }
      const { columns } = world.owner
      const rows = (entity: AnyEntity) => {
        const own = world.owner.rows(entity)
        return { ...own, update: dying(own.update), updateMany: dying(own.updateMany) }
      }
      const ctx = { ...world.owner, rows, columns: { ...columns, insert: dying(columns.insert) } }
      await world.seal(ctx as OwnerContext).catch(() => {})
      await world.resize(0)
      const expected = await few()
      await world.resize(20_000)
      expect(await few()).toEqual(expected)
    }
    await world.seal()
    await expectEqual()
    const [stored] = await world.columns.query<{ n: number }>(
      `SELECT sum(runs) AS n FROM ${sumTable.name} FINAL WHERE kind = 'engine'`,
    )
    expect(Number(stored?.n)).toBe(await world.owner.rows(VisibilityRun).count())
  })

  test('of a tracker that was deleted are removed', async () => {
    await world.add('2026-02-01', 3)
    await world.seal()
    const [gone = ''] = world.trackers
    await world.owner.rows(VisibilityTracker).removeWhere(where.eq('id', gone))
    await world.seal()
    const rows = await world.columns.query<{ tracker_id: string }>(
      `SELECT DISTINCT tracker_id FROM ${sumTable.name}`,
    )
    expect(rows.map(({ tracker_id }) => tracker_id)).toEqual(world.trackers.slice(1))
  })
})

/** The sums of a span, in an order of their own and without rounding of money. */
async function rowsOf(
  ctx: ReadContext,
  tracked: Tracked,
  days: { readonly date_from: string; readonly date_to: string },
  without: readonly { readonly engine: string; readonly day: string }[],
  query: SumQuery,
) {
  const rows = await sumRuns(ctx, spanOf(tracked, days, without), query)
  return rows
    .map(({ sums, ...row }) => [
      JSON.stringify(row),
      ...sumNames.flatMap((name) => (sums[name] ? [`${name} ${Number(sums[name].toFixed(6))}`] : [])),
    ])
    .sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1))
}
