import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aggregateRecords } from '../../../core/http/aggregateRecords'
import { shapeOf } from '../../../core/kit/fields'
import { jsonSchemaOf } from '../../../core/kit/json-schema'
import { withCore } from '../../../core/product/core-plugins'
import { builtin } from '../../../plugins'
import { Lead } from '../../../plugins/leads/records/Lead'
import { Review } from '../../../plugins/reviews/records/Review'
import { dailyTable } from '../../../plugins/traffic/records/dailyTable'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'

let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
const stars = [5, 5, 4, 1, null, 3, 5]
beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins: withCore(builtin), columns })
  const month = gate.clock.now().toISOString().slice(0, 7)
  for (const [n, star_rating] of stars.entries()) {
    const review_created_at = `${month}-0${1 + (n % 2)}T12:00:00.000Z`
    await review(n, { star_rating, review_created_at, source: n < 4 ? 'google' : 'facebook' })
  }
  await review(20, { star_rating: 1, removed_at_source_at: '2026-01-01T00:00:00.000Z' })
  await review(
    21,
    { star_rating: 2, review_created_at: '2025-01-01T12:00:00.000Z' },
    gate.tenant.otherWorkspaceId,
  )
  await review(22, { star_rating: 1 }, gate.stranger.workspaceId)
  await gate.put(Lead, {
    mention_id: 'men_1',
    tracker_id: 'trk_1',
    location_id: 'loc_1',
    intent_score: 10,
    stage: 'new',
    is_archived: true,
    email: 'a@mail.example',
  })
  for (const [place, date] of ['2026-11-01', '2026-11-02', '2026-11-09'].entries()) await day(date, place + 1)
})
afterAll(async () => {
  await gate?.stop()
  await columns?.close()
})

async function review(n: number, more: object, workspace = gate.tenant.workspaceId) {
  const row = { location_id: 'loc_1', source: 'google' as const, source_id: `r${n}` }
  await gate.put(Review, { ...row, ...more }, workspace)
}

async function day(date: string, hits: number) {
  const known: Record<string, unknown> = {
    id: `sit_a:${date}`,
    site_id: 'sit_a',
    date,
    sealed_at: '2026-11-20',
    crawler_hits: hits,
    workspace_id: gate.tenant.workspaceId,
    by_agent: '{}',
    by_category: '{}',
    by_referrer: '{}',
    paths_by_category: '{}',
    top_paths: '[]',
    referral_paths: '[]',
    created_date: '2026-11-20 00:00:00',
    updated_date: '2026-11-20 00:00:00',
  }
  const row = Object.entries(dailyTable.columns).map(
    ([name, type]) => known[name] ?? (type.startsWith('Nullable') ? null : /String/.test(type) ? '' : 0),
  )
  await columns.insert(dailyTable.name, Object.keys(dailyTable.columns), [row])
}

interface Answer {
  readonly groups: { keys: object; count: number; [more: string]: unknown }[]
  readonly [more: string]: unknown
}
async function ask(body: object): Promise<Answer> {
  const answer = await gate.call('aggregateRecords', body)
  const said = (await answer.json()) as Answer
  if (!answer.ok) throw new Error(JSON.stringify(said))
  return said
}
const refusal = async (body: object) => {
  const answer = await gate.call('aggregateRecords', body)
  const { code, errors } = (await answer.json()) as {
    code: string
    errors: { pointer: string; allowed?: string[] }[]
  }
  return { status: answer.status, code, pointer: errors[0]?.pointer, allowed: errors[0]?.allowed }
}

describe('records are summed up', () => {
  test('by two fields in the order of their counts, then of both values, with none last', async () => {
    const { groups } = await ask({ entity: 'Review', group_by: ['source', 'star_rating'] })
    expect(groups.map(({ keys, count }) => [...Object.values(keys), count])).toEqual([
      ['google', 5, 2],
      ['facebook', 3, 1],
      ['facebook', 5, 1],
      ['facebook', null, 1],
      ['google', 1, 1],
      ['google', 4, 1],
    ])
    const turned = await ask({ entity: 'Review', group_by: ['star_rating', 'source'] })
    expect(turned.groups.map(({ keys, count }) => [...Object.values(keys), count])).toEqual([
      [5, 'google', 2],
      [1, 'google', 1],
      [3, 'facebook', 1],
      [4, 'google', 1],
      [5, 'facebook', 1],
      [null, 'facebook', 1],
    ])
  })

  test('all together, with every measure, and how many have a value', async () => {
    const measures = [
      'count',
      ...['sum', 'avg', 'min', 'max', 'median', 'p90'].map((fn) => `${fn}:star_rating`),
    ]
    const { groups } = await ask({ entity: 'Review', measures })
    expect(groups).toEqual([
      {
        keys: {},
        count: 7,
        with_value: { star_rating: 6 },
        values: {
          'sum:star_rating': 23,
          'avg:star_rating': 3.83333333333,
          'min:star_rating': 1,
          'max:star_rating': 5,
          'median:star_rating': 4.5,
          'p90:star_rating': 5,
        },
      },
    ])
  })

  test('by fields, the largest group first', async () => {
    const { groups, groups_in_all } = await ask({
      entity: 'Review',
      group_by: ['source'],
      measures: ['avg:star_rating'],
    })
    expect(groups).toEqual([
      {
        keys: { source: 'google' },
        count: 4,
        values: { 'avg:star_rating': 3.75 },
        with_value: { star_rating: 4 },
      },
      {
        keys: { source: 'facebook' },
        count: 3,
        values: { 'avg:star_rating': 4 },
        with_value: { star_rating: 2 },
      },
    ])
    expect(groups_in_all).toBe(2)
    const one = await ask({ entity: 'Review', group_by: ['star_rating'], limit: 1 })
    expect([one.groups, one.groups_in_all]).toEqual([[{ keys: { star_rating: 5 }, count: 3 }], 5])
  })

  test('by several periods of one date, whichever comes first', async () => {
    const month = gate.clock.now().toISOString().slice(0, 7)
    const keysBy = async (...group_by: string[]) => {
      const { groups } = await ask({ entity: 'Review', group_by })
      return groups.map(({ keys, count }) => [...Object.values(keys), count])
    }
    const first = `${month}-01`
    const second = `${month}-02`
    expect(await keysBy('review_created_at:month', 'review_created_at:day')).toEqual([
      [first, first, 4],
      [first, second, 3],
    ])
    expect(await keysBy('review_created_at:day', 'review_created_at:month')).toEqual([
      [first, first, 4],
      [second, first, 3],
    ])
    expect(await keysBy('review_created_at:month')).toEqual([[first, 7]])
  })

  test('by a number that is measured as well, and by a filter', async () => {
    const asked = {
      entity: 'Review',
      group_by: ['star_rating'],
      measures: ['sum:star_rating'],
      q: { star_rating: { $gte: 4 } },
    }
    const { groups } = await ask(asked)
    expect(groups.map(({ keys, values }) => [keys, values])).toEqual([
      [{ star_rating: 5 }, { 'sum:star_rating': 15 }],
      [{ star_rating: 4 }, { 'sum:star_rating': 4 }],
    ])
  })

  test('by days in their order, in documents and in columns', async () => {
    const { groups } = await ask({ entity: 'Review', group_by: ['review_created_at:month', 'source'] })
    expect(groups.map(({ count }) => count)).toEqual([3, 4])
    const measures = ['sum:crawler_hits']
    const weeks = await ask({ entity: 'AiTrafficDaily', group_by: ['date:week'], measures })
    expect(weeks.groups.map(({ keys, values }) => [keys, values])).toEqual([
      [{ 'date:week': '2026-10-26' }, { 'sum:crawler_hits': 1 }],
      [{ 'date:week': '2026-11-02' }, { 'sum:crawler_hits': 2 }],
      [{ 'date:week': '2026-11-09' }, { 'sum:crawler_hits': 3 }],
    ])
    const month = await ask({ entity: 'AiTrafficDaily', group_by: ['date:month'], measures })
    expect(month.groups[0]?.values).toEqual({ 'sum:crawler_hits': 6 })
  })

  test('across workspaces, each behind its own clamp', async () => {
    const { groups, workspaces } = await ask({ entity: 'Review', group_by: ['workspace'], workspaces: ['*'] })
    expect([groups.map(({ count }) => count), workspaces]).toEqual([[7, 1], 2])
    const named = (
      await gate.owner.rows((await import('../../../core/tenancy/Workspace')).Workspace).list()
    ).find(({ id }) => id === gate.tenant.otherWorkspaceId)
    const one = await ask({ entity: 'Review', workspaces: [String(named?.name).toUpperCase()] })
    expect(one.groups).toEqual([{ keys: {}, count: 1 }])
    const twice = [String(named?.name), gate.tenant.otherWorkspaceId]
    expect(await ask({ entity: 'Review', workspaces: twice })).toMatchObject({
      groups: one.groups,
      workspaces: 1,
    })
    expect(await refusal({ entity: 'Review', workspaces: [gate.stranger.workspaceId] })).toMatchObject({
      status: 403,
      pointer: '/workspaces/0',
    })
  })

  test('of a period and of the one before', async () => {
    const asked = {
      entity: 'Review',
      period: 'this_month',
      compare: 'calendar',
      measures: ['avg:star_rating'],
    }
    const { groups, date_field, period, compared_with } = await ask(asked)
    expect(groups[0]).toMatchObject({
      count: 7,
      previous_count: 0,
      previous_values: { 'avg:star_rating': null },
    })
    expect(date_field).toBe('review_created_at')
    expect(Object.keys(period as object)).toEqual(Object.keys(compared_with as object))
    const older = await ask({ ...asked, date_field: 'created_date', group_by: ['source'] })
    expect(older.groups.map(({ count, previous_count }) => [count, previous_count])).toEqual([
      [4, 0],
      [3, 0],
    ])
  })

  test('as lists show them: without removed reviews and archived leads', async () => {
    expect((await ask({ entity: 'Lead' })).groups).toEqual([{ keys: {}, count: 0 }])
    expect((await ask({ entity: 'Lead', q: { is_archived: true } })).groups[0]?.count).toBe(1)
  })
})

test.each([
  [{ entity: 'Reviews' }, '/entity', 'Review'],
  [{ entity: 'Review', group_by: ['sorce'] }, '/group_by/0', 'source'],
  [{ entity: 'Review', group_by: ['review_created_at'] }, '/group_by/0', 'review_created_at:day'],
  [{ entity: 'Review', group_by: ['source:day'] }, '/group_by/0', 'source'],
  [{ entity: 'Review', group_by: ['returned_by'] }, '/group_by/0', 'source'],
  [{ entity: 'Review', measures: ['avg:source'] }, '/measures/0', 'avg:star_rating'],
  [{ entity: 'Review', measures: ['middle:star_rating'] }, '/measures/0', 'median:<number field>'],
  [{ entity: 'Review', period: 'today', date_field: 'source' }, '/date_field', 'review_created_at'],
])('%j is refused with the accepted values', async (body, pointer, allowed) => {
  const refused = await refusal(body)
  expect([refused.status, refused.pointer]).toEqual([422, pointer])
  expect(refused.allowed).toContain(allowed)
})

test('the examples of its arguments, put together, are answered', async () => {
  const fields = shapeOf(aggregateRecords.input).fields ?? []
  const examples = fields.flatMap(({ name, schema }) => {
    const { examples: given } = jsonSchemaOf(schema)
    return Array.isArray(given) ? [[name, given] as const] : []
  })
  expect(examples.map(([name]) => name)).toEqual(['entity', 'group_by', 'measures', 'workspaces'])
  const body = Object.fromEntries(examples.map(([name, [first]]) => [name, first]))
  const answer = await ask(body)
  expect([answer.entity, answer.workspaces, answer.groups.length]).toEqual(['Review', 2, 3])
  const [group] = answer.groups
  expect(Object.keys(group?.keys ?? {})).toEqual(['source', 'review_created_at:month'])
  expect(Object.keys((group?.values as object) ?? {})).toEqual(['avg:star_rating'])
})

test('days are compared with no other days, and contact details that are kept back group nothing', async () => {
  expect(
    await refusal({ entity: 'Review', group_by: ['created_date:day'], compare: 'previous' }),
  ).toMatchObject({
    pointer: '/compare',
  })
  const { Workspace } = await import('../../../core/tenancy/Workspace')
  await gate.owner.rows(Workspace).update(gate.tenant.otherWorkspaceId, { redact_pii: true })
  const answer = await gate.call(
    'aggregateRecords',
    { entity: 'Lead', group_by: ['email'] },
    { workspace: gate.tenant.otherWorkspaceId },
  )
  expect(answer.status).toBe(422)
  const across = await gate.call('aggregateRecords', {
    entity: 'Lead',
    group_by: ['email'],
    workspaces: ['*'],
  })
  expect(across.status).toBe(422)
})
