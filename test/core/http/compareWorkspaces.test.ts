import { afterAll, beforeAll, expect, test } from 'bun:test'
import { recordsContext } from '../../../core/contexts/records'
import { createSources } from '../../../core/contexts/sources'
import { type WorkspaceFigureSource, workspaceFigures } from '../../../core/contracts/workspace-figures'
import { compareWorkspaces } from '../../../core/http/compareWorkspaces'
import { createFiguresReader } from '../../../core/http/figures-reader'
import { shapeOf } from '../../../core/kit/fields'
import { jsonSchemaOf } from '../../../core/kit/json-schema'
import { periodOf } from '../../../core/kit/periods'
import { withCore } from '../../../core/product/core-plugins'
import { Workspace } from '../../../core/tenancy/Workspace'
import { requestWork, runWork } from '../../../core/work/scope'
import { builtin } from '../../../plugins'
import { Lead } from '../../../plugins/leads/records/Lead'
import { Review } from '../../../plugins/reviews/records/Review'
import { VisibilityTracker } from '../../../plugins/visibility/records/VisibilityTracker'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'
import { waitFor } from '../../support/wait-for'

let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
const now = '2026-11-20T12:00:00.000Z'
beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins: withCore(builtin), columns })
  gate.clock.stop()
  gate.clock.advance(Date.parse(now) - gate.clock.now().getTime())
  const { tenant, stranger } = gate
  await gate.owner.rows(Workspace).update(tenant.otherWorkspaceId, { name: 'Bakery' })
  await reviews('2026-11-10', [5, 5, 4, 4, 2, 1])
  await reviews('2026-10-10', [3, 3, 3, 3, 3])
  await reviews('2026-11-11', [1, 1], tenant.otherWorkspaceId)
  await reviews('2026-11-11', [5, 5, 5], stranger.workspaceId)
  await gate.put(Lead, {
    mention_id: 'men_1',
    tracker_id: 'trk_1',
    location_id: 'loc_1',
    intent_score: 10,
    stage: 'won',
    is_archived: false,
  })
})
afterAll(async () => {
  await gate?.stop()
  await columns?.close()
})

let written = 0
async function reviews(day: string, stars: readonly number[], workspace = gate.tenant.workspaceId) {
  for (const star_rating of stars) {
    const row = { location_id: 'loc_1', source: 'google' as const, source_id: `r${written++}` }
    const reply = star_rating === 5 ? { reply_text: 'Thank you' } : { needs_response: true }
    const review_created_at = `${day}T12:00:00.000Z`
    await gate.put(Review, { ...row, ...reply, star_rating, review_created_at }, workspace)
  }
}

interface Figure {
  readonly value: number | null
  readonly n: number
  readonly previous?: number | null
  readonly not_comparable_because?: string
}
interface Answer {
  readonly figures: { name: string; not_comparable_because?: string }[]
  readonly workspaces_in_all: number
  readonly next_skip?: number
  readonly not_read?: { name: string }[]
  readonly period: object
  readonly workspaces: { name: string; period?: object; figures: Record<string, Figure> }[]
}
const compare = async (body: object = {}) => {
  const answer = await gate.call('compareWorkspaces', body)
  return { status: answer.status, body: (await answer.json()) as Answer & { errors: { pointer: string }[] } }
}

test('each workspace has its own figures, with the period before and the number of records', async () => {
  const { body } = await compare()
  expect(body.workspaces.map(({ name }) => name)).toEqual(['Bakery', 'Home'])
  const [bakery, home] = body.workspaces.map(({ figures }) => figures)
  expect(home).toMatchObject({
    reviews: { value: 6, previous: 5 },
    rating: { value: 3.5, n: 6, previous: 3, previous_n: 5 },
    reply_rate: { value: 0.333333, n: 6, previous: 0 },
    unanswered: { value: 9 },
    leads: { value: 1 },
    leads_won: { value: 1 },
  })
  expect(bakery).toMatchObject({ reviews: { value: 2, previous: 0 }, rating: { value: 1, n: 2 } })
})

test('the figures of the example are answered', async () => {
  const named = shapeOf(compareWorkspaces.input).fields?.find(({ name }) => name === 'figures')
  if (named === undefined) throw new Error('compareWorkspaces takes no figures')
  const { examples } = jsonSchemaOf(named.schema)
  const figures = Array.isArray(examples) ? examples[0] : undefined
  const { status, body } = await compare({ figures })
  expect([status, body.figures.map(({ name }) => name)]).toEqual([200, ['reviews', 'rating']])
})

test('a workspace in whose time zone it is another day names its own period', async () => {
  const place = gate.owner.rows(Workspace)
  await place.update(gate.tenant.otherWorkspaceId, { timezone: 'Pacific/Auckland' })
  const lastDays = (await compare({ days: 7 })).body
  const twoDays = (await compare({ period: '2026-11-10/2026-11-11' })).body
  await place.update(gate.tenant.otherWorkspaceId, { timezone: 'UTC' })
  expect(lastDays.period).toEqual({ date_from: '2026-11-14', date_to: '2026-11-20', days: 7 })
  expect(lastDays.workspaces.map(({ period }) => period)).toEqual([
    { date_from: '2026-11-15', date_to: '2026-11-21', days: 7 },
    undefined,
  ])
  expect(twoDays.workspaces.some(({ period }) => period)).toBe(false)
})

test('what cannot be compared says why', async () => {
  const { body } = await compare()
  const [bakery, home] = body.workspaces.map(({ figures }) => figures)
  expect(home?.rating?.not_comparable_because).toBeUndefined()
  expect(bakery?.rating?.not_comparable_because).toBe('Fewer than 5 records in one of the periods.')
  expect(home?.reply_rate?.not_comparable_because).toContain('more time')
  expect(home?.unanswered).not.toHaveProperty('previous')
  const visibility = body.figures.find(({ name }) => name === 'ai_mention_rate')
  expect(visibility?.not_comparable_because).toContain('other questions')
  // Neither tracks its visibility or counts a website.
  expect(home).not.toHaveProperty('ai_mention_rate')
  expect(home).not.toHaveProperty('crawler_hits')
})

test('figures and workspaces are chosen by name, and no other agency is read', async () => {
  const { body } = await compare({ figures: ['reviews'], workspaces: ['bakery'], period: 'this_month' })
  expect(body.workspaces.map(({ name, figures }) => [name, Object.keys(figures)])).toEqual([
    ['Bakery', ['reviews']],
  ])
  const twice = [gate.tenant.otherWorkspaceId, 'Bakery']
  expect((await compare({ workspaces: twice })).body).toMatchObject({
    workspaces: [{ name: 'Bakery' }],
    workspaces_in_all: 1,
  })
  const away = await compare({ workspaces: [gate.stranger.workspaceId] })
  expect([away.status, away.body.errors[0]?.pointer]).toEqual([403, '/workspaces/0'])
  const unknown = await compare({ figures: ['ratings'] })
  expect(unknown.body.errors[0]).toMatchObject({ pointer: '/figures/0', did_you_mean: 'rating' })
})

test('workspaces are ordered by a figure, and come in pages that say whether there are more', async () => {
  const worst = await compare({ sort: 'rating', figures: ['leads'] })
  expect(worst.body.workspaces.map(({ name, figures }) => [name, Object.keys(figures)])).toEqual([
    ['Bakery', ['leads']],
    ['Home', ['leads']],
  ])
  expect(worst.body.workspaces_in_all).toBe(2)
  expect(worst.body).not.toHaveProperty('next_skip')
  expect((await compare({ sort: 'rating', skip: 1 })).body.workspaces.map(({ name }) => name)).toEqual([
    'Home',
  ])
  const most = await compare({ sort: '-reviews' })
  expect(most.body.workspaces.map(({ name }) => name)).toEqual(['Home', 'Bakery'])
  const unknown = await compare({ sort: '-ratings' })
  expect([unknown.status, unknown.body.errors[0]]).toMatchObject([
    422,
    { pointer: '/sort', did_you_mean: 'rating' },
  ])
})

test('workspaces that no time is left for are named, and the others are answered', async () => {
  const { tenant } = gate
  const home = { id: tenant.workspaceId, agency_id: tenant.agencyId, timezone: 'UTC', is_home: true }
  const names = ['A', 'B', 'C', 'D', 'E', 'F']
  const workspaces = names.map((name) => ({ ...home, id: name, name, redact_pii: false }))
  let read = 0
  const source: WorkspaceFigureSource = {
    name: 'slow',
    order: 1,
    figures: [{ name: 'slow', unit: 'count', definition: 'Slow.' }],
    async read() {
      read++
      const late = performance.now() + 60
      await waitFor(() => performance.now() > late, { what: 'the time to be used up', everyMs: 5 })
      if (read > 4) throw new Error('began too late')
      return { slow: { now: { value: read, n: 1 } } }
    },
  }
  const limits = { limitMs: 50, disconnected: () => undefined }
  const { read: known, missed } = await runWork(requestWork(limits), () => {
    const ctx = { inWorkspace: () => ({ now: () => new Date(now), workspace: home }) }
    const periods = () => ({ period: days, previous: days })
    return createFiguresReader(ctx as never, [source], periods).read(workspaces, source.figures)
  })
  const namesOf = (all: readonly { name: string }[]) => all.map(({ name }) => name)
  expect([namesOf(known), namesOf(missed)]).toEqual([
    ['A', 'B', 'C', 'D'],
    ['E', 'F'],
  ])
})

test('figures that are read of all workspaces at once are those of each workspace', async () => {
  const { tenant, registry, documents } = gate
  const given = { agency_id: tenant.agencyId, is_home: false, redact_pii: false }
  const workspaces = [
    { ...given, id: tenant.workspaceId, name: 'Home', timezone: 'UTC' },
    { ...given, id: tenant.otherWorkspaceId, name: 'Bakery', timezone: 'Asia/Tokyo' },
  ]
  // The first instants of a period of 28 days in Tokyo, and the last ones before it.
  for (const hour of ['14', '15', '16'])
    await gate.put(
      Review,
      {
        location_id: 'loc_2',
        source: 'google',
        source_id: `edge ${hour}`,
        star_rating: 4,
        review_created_at: `2026-10-23T${hour}:30:00.000Z`,
      },
      tenant.otherWorkspaceId,
    )
  const credential = {
    kind: 'agent_key' as const,
    agency_id: tenant.agencyId,
    platform: false,
    scopes: ['read' as const],
  }
  const ctx = recordsContext(
    { registry, sources: createSources(documents, columns), now: gate.clock.now },
    { workspace: workspaces[0] ?? given, credential, requestId: 'req_1' } as never,
    async () => [],
  )
  const sources = registry.extensions(workspaceFigures)
  const figures = sources.flatMap((source) => source.figures)
  const alone = sources.map(({ readMany: _, ...source }) => source)
  const valuesFrom = async (some: readonly WorkspaceFigureSource[]) => {
    const reader = createFiguresReader(ctx, some, (today) => periodOf({}, { today, days: 28 }))
    await reader.read(workspaces, figures)
    return workspaces.map(({ id }) => figures.map(({ name }) => [name, reader.valuesOf(id, name)]))
  }
  expect(sources.filter(({ readMany }) => readMany !== undefined).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['reviews', 'leads', 'traffic']),
  )
  expect(await valuesFrom(sources)).toEqual(await valuesFrom(alone))
})

const days = { date_from: '2026-11-01', date_to: '2026-11-02', days: 2 }

test('a tracker without answers has no rate, and says that nothing can be compared', async () => {
  const trackers = gate.owner.rows(VisibilityTracker)
  await trackers.insert({
    workspace_id: gate.tenant.workspaceId,
    location_id: 'loc_1',
    name: 'Acme',
    brand_name: 'Acme',
    brand_aliases: [],
    competitors: [],
    engines: ['chatgpt'],
    is_active: true,
    provider: 'recorded',
    run_frequency_hours: 24,
  })
  const { body } = await compare({ figures: ['ai_mention_rate'], workspaces: ['home'] })
  expect<unknown>(body.workspaces[0]?.figures).toEqual({
    ai_mention_rate: {
      value: null,
      n: 0,
      previous: null,
      previous_n: 0,
      not_comparable_because: expect.any(String),
    },
  })
})
