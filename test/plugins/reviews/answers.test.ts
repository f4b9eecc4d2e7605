import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import * as v from 'valibot'
import type { AnyEntity } from '../../../core/contracts/entity'
import type { AnyOperation } from '../../../core/contracts/operation'
import type { PageContext } from '../../../core/contracts/page'
import { jsonSchemaOf } from '../../../core/kit/json-schema'
import reviews from '../../../plugins/reviews'
import { reviewClients } from '../../../plugins/reviews/cards/clients'
import { reviewsCard } from '../../../plugins/reviews/cards/home'
import { inboxSources } from '../../../plugins/reviews/cards/inbox'
import { reviewNews } from '../../../plugins/reviews/cards/news'
import { reviewsSetup } from '../../../plugins/reviews/cards/setup'
import { explainReviewCount } from '../../../plugins/reviews/operations/explainReviewCount'
import { getReputationSummary } from '../../../plugins/reviews/operations/getReputationSummary'
import { getReviewAnalytics } from '../../../plugins/reviews/operations/getReviewAnalytics'
import { listReviewsNeedingResponse } from '../../../plugins/reviews/operations/listReviewsNeedingResponse'
import { approvePage } from '../../../plugins/reviews/pages/approve-page'
import { countsPage } from '../../../plugins/reviews/pages/counts-page'
import { linksPage } from '../../../plugins/reviews/pages/links-page'
import { overviewPage } from '../../../plugins/reviews/pages/overview-page'
import { reviewsPage } from '../../../plugins/reviews/pages/reviews-page'
import { rulesPage } from '../../../plugins/reviews/pages/rules-page'
import { inEnglish } from '../../support/english-entries'
import { tableRows } from '../../support/table-rows'
import { answersWorld } from './support/answers-world'

/**
 * What operations, pages and cards answer about one workspace and ask of the stores, compared with the answers that were read through once.
 * Where an answer changes on purpose, `RENOWN_GOLDEN=write` writes the file anew: read what changes in it.
 */
const path = join(import.meta.dir, 'answers.json')
const isWriting = process.env.RENOWN_GOLDEN === 'write'
/** Rows that several answers hold are written once, and named by their id and a digest. */
interface Known {
  readonly rows: Record<string, unknown>
  readonly answers: Record<string, unknown>
  /** What is asked of the stores, by a digest, and the digests of each answer. */
  readonly queries: Record<string, string>
  readonly asks: Record<string, string>
}
const known: Known = isWriting
  ? { rows: {}, answers: {}, queries: {}, asks: {} }
  : await Bun.file(path).json()

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'object' || value === null) return value
  const whole = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]))
  if (typeof whole.id !== 'string' || Object.keys(whole).length < 5) return whole
  const key = `${whole.id}#${Bun.hash(JSON.stringify(whole)).toString(36).slice(0, 6)}`
  known.rows[key] = whole
  return key
}

function whole(value: unknown): unknown {
  if (typeof value === 'string' && value in known.rows) return whole(known.rows[value])
  if (Array.isArray(value)) return value.map(whole)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, whole(one)]))
}

let held: Awaited<ReturnType<typeof answersWorld>>
beforeAll(async () => {
  held = await answersWorld()
})
afterAll(async () => {
  await held.bench.stop()
  if (isWriting) await Bun.write(path, `${JSON.stringify(known, null, 2)}\n`)
})

/** Of a sentence for people only its numbers are compared: another wording is no other answer. */
const isSentence = (name: string, value: unknown): value is string =>
  typeof value === 'string' && /^(definition|says|why|label|period)$/.test(name) && value.includes(' ')
const numbersOf = (name: string, value: unknown) =>
  isSentence(name, value) ? value.replaceAll(/[^\d.]+/g, ' ').trim() : value

function compare(name: string, answer: unknown) {
  const plain = JSON.parse(JSON.stringify(answer ?? null, numbersOf))
  if (isWriting) known.answers[name] = shortened(plain)
  else expect(plain).toEqual(whole(known.answers[name]))
}

function compareAsks(name: string, asked: readonly string[]) {
  const keys = asked.map((query) => Bun.hash(query).toString(36).slice(0, 6))
  if (isWriting) {
    known.asks[name] = keys.join(' ')
    for (const [n, key] of keys.entries()) known.queries[key] = asked[n] ?? ''
  } else {
    const expected = known.asks[name]?.split(' ').filter(Boolean)
    expect(asked).toEqual(expected?.map((key) => known.queries[key] ?? key) ?? [])
  }
}

const questions: readonly (readonly [AnyOperation, Record<string, unknown>])[] = [
  ...[{}, { days: 7 }, { days: 36 }, { days: 184 }, { date_from: '2026-01-05', date_to: '2026-02-03' }].map(
    (input) => [getReviewAnalytics, input] as const,
  ),
  ...[
    { location_id: 'loc_2' },
    { source: 'facebook' },
    { days: 12, interval: 'week' },
    { days: 90, interval: 'month' },
  ].map((input) => [getReviewAnalytics, input] as const),
  ...[{}, { days: 90 }, { location_id: 'loc_1' }, { location_id: 'loc_3' }, { location_id: 'none' }].map(
    (input) => [getReputationSummary, input] as const,
  ),
  ...[
    {},
    { sort: '-star_rating', limit: 5 },
    { priority: 'high' },
    { location_id: 'loc_1', limit: 3, skip: 2 },
  ].map((input) => [listReviewsNeedingResponse, input] as const),
  ...[{ source: 'facebook' }, { sort: 'review_created_at', limit: 4 }].map(
    (input) => [listReviewsNeedingResponse, input] as const,
  ),
  [explainReviewCount, { location_id: 'loc_1' }],
  [explainReviewCount, { location_id: 'loc_2' }],
]

for (const timezone of ['UTC', 'America/New_York'])
  for (const [operation, input] of questions) {
    if (timezone !== 'UTC' && !['{}', '{"days":7}'].includes(JSON.stringify(input))) continue
    const name = `${operation.name} ${JSON.stringify(input)} in ${timezone}`
    test(name, async () => {
      compare(name, await held.run(operation, input, { timezone }))
      const { ctx, asked } = context(timezone)
      await operation.run(ctx, v.parse(operation.input, input))
      compareAsks(name, asked)
    })
  }

const person = { id: 'usr_1', agency_id: 'agc_1', role: 'owner' as const }
/** The context of a page, and what it asks of the stores. */
function context(timezone = 'UTC') {
  const asked: string[] = []
  const noting =
    (rows: (entity: AnyEntity) => object) =>
    (entity: AnyEntity): object => {
      const noted = ([verb, call]: [string, unknown]) => [
        verb,
        (...given: unknown[]) => {
          asked.push(`${entity.name} ${verb} ${JSON.stringify(given)}`)
          return (call as (...given: unknown[]) => unknown)(...given)
        },
      ]
      return Object.fromEntries(Object.entries(rows(entity)).map(noted))
    }
  const read = held.bench.read('wsp_1')
  const system = { ...held.bench.owner, rows: noting(held.bench.owner.rows) }
  const more = { person, system, apiUrl: 'https://renown.example', isDemo: false }
  const workspace = { ...read.workspace, timezone }
  return { ctx: { ...read, ...more, workspace, rows: noting(read.rows) } as unknown as PageContext, asked }
}

const pages = [
  [overviewPage, ['', 'days=28', 'days=365', 'days=5']],
  [approvePage, ['']],
  [countsPage, ['']],
  [linksPage, ['']],
  [rulesPage, ['']],
  [
    reviewsPage,
    [
      '',
      'needs=1',
      'rating=5',
      'rating=none',
      'source=facebook',
      'location=loc_2',
      'language=de',
      'theme=queue',
      'q=soup',
      'from=2026-02-01&to=2026-02-20',
      'state=unread',
      'state=flagged',
      'state=drafted',
      'order=worst',
      'state=answered',
      'state=failed',
      'order=oldest&q=bread',
      'rating=9&state=odd&from=2026-02-30&sort=x',
      'review=rev_00',
      'review=rev_02',
      'review=rev_05&history=1',
      'review=rev_07&needs=1',
      'review=rev_other',
      'review=rev_09',
      'review=rev_19',
      'review=rev_30',
      'review=rev_23&state=answered&order=oldest&all=1',
      'review=rev_01',
      'review=rev_03',
      'review=rev_06',
      'review=rev_08',
      'review=rev_10',
      'review=rev_13',
    ],
  ],
] as const

for (const [page, queries] of pages)
  for (const query of queries) {
    const name = `${page.path}?${query}`
    test(name, async () => {
      const { ctx, asked } = context('Europe/Madrid')
      const data = await page.load(ctx, new URLSearchParams(query))
      compare(name, data)
      compareAsks(name, asked)
      if (page === reviewsPage && query === 'state=answered') {
        const file = context('Europe/Madrid')
        compare('csv', await tableRows(await reviewsPage.download?.(file.ctx, new URLSearchParams(query))))
      }
    })
  }

/** Compares an answer, and what it asks of the stores. */
async function compareAsked(name: string, answer: (ctx: PageContext) => unknown, timezone?: string) {
  const { ctx, asked } = context(timezone)
  compare(name, await answer(ctx))
  compareAsks(name, asked)
}

test('cards, news, clients and the inbox', async () => {
  await compareAsked('home card', (ctx) => reviewsCard.load(ctx))
  for (const since of ['2026-03-14T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-03-15T11:00:00.000Z'])
    await compareAsked(`news since ${since}`, (ctx) => reviewNews(ctx, since), 'Asia/Tokyo')
  for (const source of inboxSources) {
    await compareAsked(`inbox ${source.name}`, async (ctx) => inEnglish(await source.list(ctx, 7)))
    await compareAsked(`inbox ${source.name}, one`, async (ctx) => inEnglish(await source.list(ctx, 1)))
    await compareAsked(`inbox ${source.name}, next`, async (ctx) => source.nextLook?.(ctx))
  }
  await compareAsked('set-up', (ctx) => reviewsSetup.isDone(ctx.system, 'wsp_1'))
  const workspaces = ['wsp_1', 'wsp_2'].map((id) => ({ id, name: id, timezone: 'Pacific/Auckland' }))
  await compareAsked('clients', async ({ system }) => {
    const reads = { workspaces, now: () => held.bench.now, rows: system.rows }
    return [...(await reviewClients.load(reads))]
  })
})

/** What is checked by its own tests, or is for people. */
const partsApart = new Set([
  'events',
  'fields',
  'input',
  'output',
  'payload',
  'contract',
  'shape',
  'style',
  'module',
  'entity',
  'examples',
  'summary',
  'title',
  'description',
  'demo',
  'label',
  'body',
  'text',
  'settings',
  'reads',
  'provides',
])

test('what the plugin declares: indexes, states, queues, schedules, pages and commands', () => {
  const plain = JSON.parse(
    JSON.stringify(reviews, (name, value) => (partsApart.has(name) ? undefined : value)),
  )
  compare('declarations', plain)
  compare(
    'what the plugin provides',
    reviews.provides?.map(({ point, extension }) => [point, extension.name]),
  )
  compare(
    'what the plugin reads',
    reviews.reads?.map((entity) => [entity.name, Object.keys(entity.fields)]),
  )
  const { commands = [], operations = [], queues = {} } = reviews
  const schemas = [
    ...(reviews.entities ?? []).map(({ name, fields }) => [name, v.object(fields)] as const),
    ...[...commands, ...operations].map(({ name, input }) => [name, input] as const),
    ...operations.map(({ name, output }) => [`${name} answers`, output] as const),
    ...Object.entries(queues).map(([name, { payload }]) => [name, payload] as const),
    ...(reviews.events ?? []).map(({ name, data }) => [`event ${name}`, data] as const),
  ]
  for (const [name, schema] of schemas) {
    // The words of descriptions may change.
    const rules = JSON.stringify(jsonSchemaOf(schema), (key, value) =>
      key === 'description' && typeof value === 'string' ? undefined : value,
    )
    compare(`schema of ${name}`, rules)
  }
})
