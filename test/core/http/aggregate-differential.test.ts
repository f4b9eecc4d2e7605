import { afterAll, beforeAll, expect, test } from 'bun:test'
import { withCore } from '../../../core/product/core-plugins'
import { Workspace } from '../../../core/tenancy/Workspace'
import { builtin } from '../../../plugins'
import { Mention } from '../../../plugins/leads/records/Mention'
import { Review } from '../../../plugins/reviews/records/Review'
import { dailyTable } from '../../../plugins/traffic/records/dailyTable'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'
import { describeGateStores } from '../../support/mongo'
import { type Random, randomSource } from '../../support/random-documents'

/**
 * The same rows and questions in SQLite, in MongoDB and, for daily sums, in columns. Each answer is compared with one that
 * is computed here from the rows, so stores that agree with it agree with each other.
 */
const questions = process.env.RENOWN_LONG === '1' ? 1_000 : 30
const clock = '2026-11-20T12:00:00.000Z'
const zones = ['Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata']

type Value = string | number | null
type Fact = Readonly<Record<string, Value>>
type Owned = Fact & { readonly workspace: string }

/** The rows of three workspaces. The credential reads the first two. */
interface World {
  readonly names: readonly string[]
  readonly reviews: readonly Owned[]
  readonly days: readonly Owned[]
}

function worldOf(random: Random): World {
  const names = ['Home', 'Second', 'Theirs']
  const instant = () => new Date(Date.parse(clock) - random.below(430 * 86_400) * 1_000).toISOString()
  const reviews = names.flatMap((workspace) =>
    Array.from({ length: 70 }, () => ({
      workspace,
      source: random.one(['google', 'google', 'facebook']),
      star_rating: random.one([null, 1, 2, 3, 4, 5, 5]),
      sentiment: random.one([null, 'positive', 'negative', 'neutral']),
      review_created_at: random.chance(0.1) ? null : instant(),
      removed_at_source_at: random.chance(0.1) ? clock : null,
    })),
  )
  const days = names.flatMap((workspace) =>
    Array.from({ length: 60 }, (_, n) => ({
      workspace,
      site_id: random.one(['sit_a', 'sit_b']) + workspace,
      n,
      // A website has one row for each day.
      date: shift(clock.slice(0, 10), -n * (n < 40 ? 2 : 7)),
      crawler_hits: random.below(500),
      spoofed_hits: random.below(3),
    })),
  )
  return { names, reviews, days }
}

interface Question {
  readonly entity: 'Review' | 'AiTrafficDaily'
  readonly q?: object
  readonly keeps: (row: Fact) => boolean
  readonly group_by: readonly string[]
  readonly measures: readonly string[]
  readonly span?: { readonly date_from: string; readonly date_to: string }
  readonly compare?: 'previous' | 'calendar'
  readonly workspaces?: readonly string[]
}

const functions = ['sum', 'avg', 'min', 'max', 'median', 'p90']

function questionOf(random: Random): Question {
  const isReview = random.chance(0.6)
  const date = isReview ? 'review_created_at' : 'date'
  const numbers = isReview ? ['star_rating'] : ['crawler_hits', 'spoofed_hits']
  const keys = [
    ...(isReview ? ['source', 'sentiment', 'star_rating'] : ['site_id', 'spoofed_hits']),
    ...['day', 'week', 'month'].map((unit) => `${date}:${unit}`),
    'workspace',
  ]
  const group_by = [...new Set(random.some(keys, 2))]
  const measures = [
    ...new Set(['count', ...random.some(functions, 3).map((fn) => `${fn}:${random.one(numbers)}`)]),
  ]
  const isByDate = group_by.some((key) => key.includes(':'))
  const from = Date.parse(clock) - random.below(120) * 86_400_000
  const span = random.chance(0.6)
    ? { date_from: isoDay(from - random.below(60) * 86_400_000), date_to: isoDay(from) }
    : undefined
  return {
    entity: isReview ? 'Review' : 'AiTrafficDaily',
    group_by,
    measures,
    ...filterOf(random, isReview),
    ...(span ? { span } : {}),
    ...(span && !isByDate && random.chance(0.6) ? { compare: random.one(['previous', 'calendar']) } : {}),
    ...(random.chance(0.5) ? { workspaces: random.one([['*'], ['second'], ['Home', 'SECOND']]) } : {}),
  }
}

function filterOf(random: Random, isReview: boolean): Pick<Question, 'q' | 'keeps'> {
  const least = random.below(isReview ? 5 : 400)
  const some = ['facebook']
  const filters: readonly Pick<Question, 'q' | 'keeps'>[] = isReview
    ? [
        {
          q: { star_rating: { $gte: least } },
          keeps: ({ star_rating: n }) => n !== null && Number(n) >= least,
        },
        { q: { source: { $in: some } }, keeps: ({ source }) => some.includes(String(source)) },
        { q: { sentiment: { $ne: 'positive' } }, keeps: ({ sentiment }) => sentiment !== 'positive' },
        {
          q: { $or: [{ sentiment: null }, { star_rating: 5 }] },
          keeps: ({ sentiment, star_rating }) => sentiment === null || star_rating === 5,
        },
      ]
    : [
        { q: { crawler_hits: { $lt: least } }, keeps: ({ crawler_hits }) => Number(crawler_hits) < least },
        { q: { spoofed_hits: { $in: [0, 2] } }, keeps: ({ spoofed_hits }) => spoofed_hits !== 1 },
      ]
  return random.chance(0.5) ? random.one(filters) : { keeps: () => true }
}

const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const shift = (day: string, by: number) => isoDay(Date.parse(day) + by * 86_400_000)

function localDay(row: Fact, date: string, zone: string): string | null {
  const value = row[date]
  if (value === null || value === undefined) return null
  if (date === 'date') return String(value)
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date(String(value)))
}

function keyOf(row: Owned, key: string, zone: string): Value {
  if (key === 'workspace') return row.workspace
  const [name = '', unit] = key.split(':')
  if (unit === undefined) return row[name] ?? null
  const day = localDay(row, name, zone)
  if (day === null || unit === 'day') return day
  if (unit === 'month') return `${day.slice(0, 8)}01`
  return shift(day, -((new Date(day).getUTCDay() + 6) % 7))
}

/** The value that a share of the sorted values is at most, between two of them. */
function quantile(values: readonly number[], share: number): number {
  const place = (values.length - 1) * share
  const low = values[Math.floor(place)] ?? 0
  const high = values[Math.ceil(place)] ?? 0
  return low * (1 - (place % 1)) + high * (place % 1)
}

const computed: Readonly<Record<string, (sorted: readonly number[]) => number>> = {
  sum: (all) => all.reduce((sum, one) => sum + one, 0),
  avg: (all) => all.reduce((sum, one) => sum + one, 0) / all.length,
  min: (all) => all[0] ?? 0,
  max: (all) => all.at(-1) ?? 0,
  median: (all) => quantile(all, 0.5),
  p90: (all) => quantile(all, 0.9),
}

const near = (value: number | null) => (value === null ? null : Math.round(value * 1e6) / 1e6)

function measured(rows: readonly Owned[], measures: readonly string[]): Record<string, number | null> {
  return Object.fromEntries(
    measures.flatMap((measure) => {
      const [fn = '', name = ''] = measure.split(':')
      if (fn === 'count') return []
      const values = rows
        .flatMap((row) => (row[name] === null ? [] : [Number(row[name])]))
        .sort((a, b) => a - b)
      return [[measure, values.length === 0 ? null : near(computed[fn]?.(values) ?? null)]]
    }),
  )
}

interface Expected {
  readonly count: number
  readonly values: Record<string, number | null>
  readonly before?: { readonly count: number; readonly values: Record<string, number | null> }
}

function expectedOf(world: World, question: Question): Record<string, Expected> {
  const { entity, span, compare, group_by, measures, workspaces = ['Home'] } = question
  const isReview = entity === 'Review'
  const date = isReview ? 'review_created_at' : 'date'
  const read = world.names
    .slice(0, 2)
    .filter((name) => workspaces.some((one) => one === '*' || one.toLowerCase() === name.toLowerCase()))
  const zoneOf = (name: string) => zones[world.names.indexOf(name)] ?? 'UTC'
  const inDays = (days: Question['span']) =>
    (isReview ? world.reviews : world.days)
      .filter(({ workspace }) => read.includes(workspace))
      .filter(({ removed_at_source_at = null }) => removed_at_source_at === null)
      .filter((row) => question.keeps(row))
      .filter((row) => {
        if (!days) return true
        const day = localDay(row, date, zoneOf(row.workspace))
        return day !== null && days.date_from <= day && day <= days.date_to
      })
  const grouped = (rows: readonly Owned[]) =>
    Map.groupBy(rows, (row) => JSON.stringify(group_by.map((key) => keyOf(row, key, zoneOf(row.workspace)))))
  const now = grouped(inDays(span))
  const before = span && compare ? grouped(inDays(earlier(span, compare))) : null
  // Without other keys, each workspace that was read has a group, also without records.
  const always =
    group_by.join() === 'workspace'
      ? read.map((name) => JSON.stringify([name]))
      : group_by.length === 0
        ? ['[]']
        : []
  const keys = new Set([...now.keys(), ...(before?.keys() ?? []), ...always])
  const summed = (rows: readonly Owned[] = []) => ({ count: rows.length, values: measured(rows, measures) })
  return Object.fromEntries(
    [...keys].map((key) => [
      key,
      { ...summed(now.get(key)), ...(before ? { before: summed(before.get(key)) } : {}) },
    ]),
  )
}

function earlier({ date_from, date_to }: NonNullable<Question['span']>, compare: 'previous' | 'calendar') {
  if (compare === 'calendar') {
    const year = (day: string) => `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`
    return { date_from: year(date_from), date_to: year(date_to) }
  }
  const days = (Date.parse(date_to) - Date.parse(date_from)) / 86_400_000 + 1
  return { date_from: shift(date_from, -days), date_to: shift(date_from, -1) }
}

interface Answer {
  readonly groups_in_all: number
  readonly groups: {
    readonly keys: Record<string, Value>
    readonly count: number
    readonly values?: Record<string, number | null>
    readonly previous_count?: number
    readonly previous_values?: Record<string, number | null>
  }[]
}

const rounded = (values: Record<string, number | null> = {}) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, near(value)]))

describeGateStores('records are summed up with the same answers: %s', (_, open) => {
  let gate: Gate
  let columns: Awaited<ReturnType<typeof freshColumns>>
  let documents: Awaited<ReturnType<typeof open>>
  const world = worldOf(randomSource(2026))

  beforeAll(async () => {
    columns = await freshColumns()
    documents = await open()
    gate = await startGate({ plugins: withCore(builtin), columns, ...(documents ? { documents } : {}) })
    gate.clock.stop()
    gate.clock.advance(Date.parse(clock) - gate.clock.now().getTime())
    const { tenant, stranger } = gate
    const ids = [tenant.workspaceId, tenant.otherWorkspaceId, stranger.workspaceId]
    for (const [place, id] of ids.entries())
      await gate.owner.rows(Workspace).update(id, { name: world.names[place], timezone: zones[place] })
    const idOf = (name: string) => String(ids[world.names.indexOf(name)])
    const reviews = world.reviews.map(({ workspace, ...row }, n) => ({
      location_id: 'loc_1',
      source_id: `r${n}`,
      workspace_id: idOf(workspace),
      ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
    }))
    await gate.owner.rows(Review).insertMany(reviews as never)
    const names = Object.keys(dailyTable.columns)
    const stamps = {
      sealed_at: '2026-11-20',
      created_date: '2026-11-20 00:00:00',
      updated_date: '2026-11-20 00:00:00',
    }
    const rows = world.days.map(({ workspace, n, ...day }) => {
      const known: Fact = {
        ...stamps,
        ...day,
        id: `${workspace}:${n}`,
        workspace_id: idOf(workspace),
        by_agent: '{}',
        by_category: '{}',
        by_referrer: '{}',
        paths_by_category: '{}',
        top_paths: '[]',
        referral_paths: '[]',
      }
      return Object.entries(dailyTable.columns).map(
        ([name, type]) => known[name] ?? (type.startsWith('Nullable') ? null : /String/.test(type) ? '' : 0),
      )
    })
    await columns.insert(dailyTable.name, names, rows)
  })
  afterAll(async () => {
    await gate?.stop()
    await documents?.close()
    await columns?.close()
  })

  test(`${questions} drawn questions`, async () => {
    const random = randomSource(47)
    const asked = { compared: 0, across: 0, dates: 0 }
    for (let n = 0; n < questions; n++) {
      const question = questionOf(random)
      const { keeps: _, span, ...rest } = question
      const body = { ...rest, ...span, limit: 200 }
      const answer = await gate.call('aggregateRecords', body)
      const said = (await answer.json()) as Answer
      if (!answer.ok) throw new Error(`${JSON.stringify(body)} ${JSON.stringify(said)}`)
      const expected = expectedOf(world, question)
      const found = said.groups.map(({ keys, count, values, previous_count, previous_values }) => [
        JSON.stringify(question.group_by.map((key) => keys[key] ?? null)),
        {
          count,
          values: rounded(values),
          ...(previous_count === undefined
            ? {}
            : { before: { count: previous_count, values: rounded(previous_values) } }),
        },
      ])
      expect({ body, groups: said.groups_in_all }).toEqual({ body, groups: Object.keys(expected).length })
      const wanted =
        found.length < said.groups_in_all
          ? pick(
              expected,
              found.map(([key]) => String(key)),
            )
          : expected
      expect({ body, found: Object.fromEntries(found) }).toEqual({ body, found: wanted })
      if (question.compare) asked.compared++
      if (question.workspaces) asked.across++
      if (question.group_by.some((key) => key.includes(':'))) asked.dates++
    }
    expect(Math.min(...Object.values(asked))).toBeGreaterThan(questions / 10)
  }, 600_000)

  test('mentions by author and channel are those that every figure counts, unless q names the rest', async () => {
    const base = {
      location_id: 'loc_1',
      tracker_id: 'trk_1',
      url: 'https://a.example/',
      body: 'Text',
      excerpt: '',
      language: 'en',
      posted_at: clock,
      discovered_at: clock,
      matched_keywords: [],
      tags: [],
      is_lead: false,
      status: 'new',
      is_read: false,
      is_archived: false,
      source: 'reddit',
    }
    const rows = [
      {},
      { source: 'youtube' },
      { relevance: 'maybe', status: 'dismissed' },
      { author: { handle: 'ben' }, relevance: 'relevant' },
      { relevance: 'irrelevant' },
      { is_archived: true },
      { duplicate_of: 'men_1' },
      { same_post_as: 'men_1' },
      { removed_at_source_at: clock },
    ].map((more, n) => ({ ...base, author: { handle: 'ann' }, source_id: `m${n}`, ...more }))
    for (const row of rows) await gate.put(Mention, row as never)
    const ask = async (body: object) => {
      const answer = await gate.call('aggregateRecords', { entity: 'Mention', ...body })
      return (await answer.json()) as Answer & { readonly usual_q?: object }
    }
    const { groups, usual_q } = await ask({ group_by: ['author', 'source'] })
    expect(usual_q).toEqual({
      relevance: { $ne: 'irrelevant' },
      is_archived: false,
      duplicate_of: null,
      same_post_as: null,
    })
    expect(groups.map(({ keys, count }) => [keys.author, keys.source, count])).toEqual([
      ['ann', 'reddit', 2],
      ['ann', 'youtube', 1],
      ['ben', 'reddit', 1],
    ])
    const named = { $or: [{ is_archived: true }, { relevance: 'irrelevant' }] }
    const others = await ask({ q: named, group_by: ['author.handle'] })
    expect([others.usual_q, others.groups.map(({ count }) => count)]).toEqual([
      { duplicate_of: null, same_post_as: null },
      [2],
    ])
    const archived = await ask({ group_by: ['is_archived'] })
    expect(archived.groups.map(({ count }) => count)).toEqual([4, 1])
  })
})

const pick = (all: Record<string, Expected>, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, all[key]]))
