import { afterEach, describe, expect, test } from 'bun:test'
import type { ServiceRequest } from '../../../core/contracts/outbound'
import { where } from '../../../core/contracts/where'
import { Connection } from '../../../core/outbound/Connection'
import { SyncStatus } from '../../../core/tenancy/news/SyncStatus'
import { Review } from '../../../plugins/reviews/records/Review'
import { createLiar, lax, type Unreadable, unreadableAnswers } from '../../support/liar'
import { platformWorld } from './support/platform-world'

/** The quick run tells a third of the kinds of lies at each address, and each kind at a third of the addresses. */
const isLong = process.env.RENOWN_LONG === '1'
const hour = 3_600_000
const day = 24 * hour

/** Every address that reviews are read from or written to. A request to any other fails the last test. */
const addresses = [
  [/^POST google\.test\/token$/, 'google token'],
  [/^GET google\.test\/v4\/accounts\/[^/]+\/locations\/[^/]+\/reviews$/, 'google reviews'],
  [/^GET google\.test\/v4\/.+\/reviews\/[^/]+$/, 'google review'],
  [/^PUT google\.test\/v4\/.+\/reviews\/[^/]+\/reply$/, 'google reply'],
  [/^GET graph\.test\/v21\.0\/777\/ratings$/, 'facebook ratings'],
  [/^GET graph\.test\/v21\.0\/777$/, 'facebook figures'],
  [/^GET graph\.test\/v21\.0\/[^/]+$/, 'facebook story'],
  [/^GET graph\.test\/v21\.0\/[^/]+\/comments$/, 'facebook comments'],
  [/^POST graph\.test\/v21\.0\/[^/]+\/comments$/, 'facebook comment'],
  [/^GET places\.test\/v1\/places\/[^/]+$/, 'places place'],
  [/^POST dfs\.test\/v3\/business_data\/google\/reviews\/task_post$/, 'dataforseo order'],
  [/^GET dfs\.test\/v3\/business_data\/google\/reviews\/task_get\/[^/]+$/, 'dataforseo result'],
  [/^POST llm\.test\/v1\/chat\/completions$/, 'language model'],
] as const
type Platform = NonNullable<NonNullable<Parameters<typeof platformWorld>[0]>['platform']>

const forms: ServiceRequest[] = []
const askedAnywhere = new Set<string>()
let world: Awaited<ReturnType<typeof platformWorld>> & { readonly liar: ReturnType<typeof createLiar> }
afterEach(async () => {
  for (const address of world.liar.asked) askedAnywhere.add(address)
  await world.bench.stop()
})

async function open(platform: Platform, settings: Record<string, string> = {}) {
  const liar = createLiar(addresses)
  const made = await platformWorld({
    platform,
    liar,
    settings,
    onAsk: (request: ServiceRequest) => void forms.push(request),
  })
  world = { ...made, liar }
  world.facebook.figures = 'counted'
}

const standIns = { google: 'google', facebook: 'facebook', places: 'google', dataforseo: 'google' } as const

function write(platform: Platform, count: number, changes: object = {}) {
  const at = Math.floor(world.bench.now.getTime() / 1_000) * 1_000
  for (let n = 0; n < count; n++) {
    const id = `777_${n}`
    const said = { stars: 5, text: `Lovely ${n}`, author: 'Ann Lee', created: at - n * 1_000 }
    world[standIns[platform]].reviews.set(id, { id, ...said, updated: at - n * 1_000, ...changes })
  }
}

/** Everything that people and figures rest on, without the instants of reading. */
async function stored() {
  const rows = await world.owner
    .rows(Review)
    .list({ limit: 1_000, sort: [{ field: 'id', direction: 'asc' }] })
  const { average_rating, total_reviews } = await world.location()
  const plain = rows.map(({ synced_at: _, gbp_api_synced_at: __, updated_date: ___, ...row }) => {
    const { returned_by: ____, ...rest } = row as typeof row & { returned_by?: string }
    return rest
  })
  return { rows: plain, average_rating, total_reviews }
}
const status = async (): Promise<string | undefined> => {
  const [row] = await world.owner
    .rows(SyncStatus)
    .list({ sort: [{ field: 'updated_date', direction: 'desc' }] })
  return row?.status
}
const rowOf = async (id: string) => {
  const [row] = await world.owner.rows(Review).list({ where: where.eq('source_id', id) })
  if (!row) throw new Error(`no row ${id}`)
  return row
}
const removed = async () =>
  (await world.owner.rows(Review).list({ limit: 1_000 })).filter(
    ({ removed_at_source_at: at }) => typeof at === 'string',
  )
const sync = (attempt = 1) => world.again(attempt).catch((error: unknown) => error)
/** A whole reading, with what it needs to be trusted, however often the queue has to run it. */
async function syncWhole() {
  for (let n = 0; n < 3; n++) {
    world.later(day + hour)
    await sync()
  }
}

const kinds = Object.entries(unreadableAnswers)
const halfTruths: Record<string, Record<string, Unreadable>> = {
  'google reviews': {
    'a count without reviews': async () => Response.json({ totalReviewCount: 7 }),
    'reviews that are no list': async () => Response.json({ reviews: {}, totalReviewCount: 0 }),
  },
  'google review': {
    'the review without its name': changed(({ name: _, ...rest }) => rest),
    'the review without its time': changed(({ createTime: _, ...rest }) => rest),
    'the review without its stars': changed(({ starRating: _, ...rest }) => rest),
    'unknown stars': changed((body) => ({ ...body, starRating: 'SIX' })),
    'an unreadable time': changed((body) => ({ ...body, updateTime: 'yesterday' })),
    'a reply without words': changed((body) => ({ ...body, reviewReply: {} })),
    'a reply of null': changed((body) => ({ ...body, reviewReply: null })),
    'another review': changed(({ reviewReply: _, ...body }) => ({ ...body, reviewId: 'other' })),
    'the review of another location': changed(({ reviewReply: _, ...body }) => ({
      ...body,
      name: String(body.name).replace('locations/222', 'locations/333'),
    })),
    'another 404': async () =>
      Response.json({ error: { code: 404, status: 'ABORTED', message: 'no' } }, { status: 404 }),
    'the error NOT_FOUND with status 200': async () =>
      Response.json({ error: { code: 404, status: 'NOT_FOUND', message: 'no' } }),
    'the error NOT_FOUND with status 400': async () =>
      Response.json({ error: { code: 404, status: 'NOT_FOUND', message: 'no' } }, { status: 400 }),
  },
  'google reply': {
    'another reply': async () => Response.json({ comment: 'Hi', updateTime: '2026-03-15T12:00:00Z' }),
    'a reply without a time': changed(({ updateTime: _, ...rest }) => rest),
    'a reply with an unreadable time': changed((body) => ({ ...body, updateTime: 'now' })),
  },
  'facebook story': { 'another story': async () => Response.json({ id: '777_other' }) },
  'facebook figures': { 'another Page': async () => Response.json({ id: '778', rating_count: 0 }) },
  'facebook comments': {
    'comments without their authors': changed((body) => ({
      ...body,
      data: (body.data as object[]).map((one) => ({ ...one, from: undefined })),
    })),
  },
  'facebook comment': { 'an empty id': async () => Response.json({ id: '' }) },
  'dataforseo result': {
    'no result': async () =>
      Response.json({ status_code: 20_000, tasks: [{ status_code: 20_000, result: null }] }),
    'an empty result': async () =>
      Response.json({ status_code: 20_000, tasks: [{ status_code: 20_000, result: [] }] }),
    'a result without items': async () =>
      Response.json({ status_code: 20_000, tasks: [{ status_code: 20_000, result: [{ title: 'Acme' }] }] }),
  },
  'dataforseo order': {
    'an order without an id': async () =>
      Response.json({ status_code: 20_000, tasks: [{ status_code: 20_100, result: null }] }),
  },
}

function changed(change: (body: Record<string, unknown>) => object): Unreadable {
  return async (honest) => Response.json(change((await honest.json()) as Record<string, unknown>))
}
function kindsAt(address: string) {
  const place = addresses.findIndex(([, name]) => name === address)
  return kinds.filter((_, n) => isLong || (n + place) % 3 === 0)
}
const liesAt = (address: string) => [...kindsAt(address), ...Object.entries(halfTruths[address] ?? {})]

describe.each([
  ['google', 'google reviews', 1],
  ['google', 'google reviews', 2],
  ['google', 'google token', 1],
  ['facebook', 'facebook ratings', 1],
  ['facebook', 'facebook ratings', 2],
  ['places', 'places place', 1],
  ['dataforseo', 'dataforseo order', 1],
  ['dataforseo', 'dataforseo result', 1],
] as const)('A reading of %s, where request %s number %i', (platform, address, from) => {
  test.each(liesAt(address))('gets %s, fails and changes nothing', async (_, answer) => {
    await open(platform)
    // A second request is only sent where the first page does not hold all.
    const count = from === 1 ? 6 : 60
    write(platform, count)
    await sync()
    if (platform === 'dataforseo') await sync(2)
    const before = await stored()
    expect(before.rows.length).toBe(platform === 'places' ? 5 : count)
    world.later(day + hour)
    world.liar.tell({ at: address, answer, from })
    const fault = await sync()
    if (address === 'dataforseo result') expect(await sync(2)).toMatchObject({ code: 'unreadable' })
    else expect(fault).toMatchObject({ name: 'ServiceFault', kind: 'transient', code: 'unreadable' })
    expect(world.liar.told).toBeGreaterThan(0)
    expect(await stored()).toEqual(before)
    expect(['failed', 'running']).toContain((await status()) ?? '')
    const [connection] = await world.owner.rows(Connection).list({ where: where.eq('provider', 'google') })
    expect(connection?.state).toBe('connected')
  })
})

describe("A Page's figures", () => {
  test.each(liesAt('facebook figures'))('that come as %s are left as they are', async (_, answer) => {
    await open('facebook')
    write('facebook', 3)
    await sync()
    const before = await stored()
    world.later(day + hour)
    world.liar.tell({ at: 'facebook figures', answer })
    await sync()
    expect(world.liar.told).toBeGreaterThan(0)
    expect(await stored()).toEqual(before)
  })
})

describe.each([
  ['google', 'google review'],
  ['facebook', 'facebook story'],
] as const)('A review that a whole reading of %s missed', (platform, address) => {
  test.each(liesAt(address))(`is kept while the look at it answers %s`, async (_, answer) => {
    await open(platform)
    write(platform, 8)
    await sync()
    world[platform].reviews.delete('777_3')
    world.liar.tell({ at: address, answer })
    await syncWhole()
    expect(world.liar.told).toBeGreaterThan(0)
    expect(await removed()).toEqual([])
    world.liar.tell(null)
    await syncWhole()
    expect((await removed()).map(({ source_id }) => source_id)).toEqual(['777_3'])
  })
})

describe('A review that Facebook may not show us any more', () => {
  const notVisible: Unreadable = async () => {
    const error = { code: 100, error_subcode: 33, message: 'does not exist, or missing permissions' }
    return Response.json({ error }, { status: 400 })
  }
  test('is kept when the token may see no story', async () => {
    await open('facebook')
    write('facebook', 8)
    await sync()
    world.facebook.reviews.delete('777_3')
    world.liar.tell({ at: 'facebook story', answer: notVisible })
    await syncWhole()
    expect(await removed()).toEqual([])
  })

  test('is kept when an empty list contradicts the number of ratings', async () => {
    await open('facebook')
    write('facebook', 3)
    await sync()
    world.facebook.figures = { rating_count: 3 }
    world.facebook.reviews.clear()
    await syncWhole()
    expect(await removed()).toEqual([])
    world.facebook.figures = 'counted'
    await syncWhole()
    expect(await removed()).toHaveLength(3)
  })
})

describe.each([
  ['google', 'google review'],
  ['facebook', 'facebook comments'],
] as const)("The owner's own reply at %s", (platform, address) => {
  test.each(liesAt(address))(
    'is never written over while the look before sending answers %s',
    async (_, answer) => {
      await open(platform)
      await world.rules({ include_unrated: true })
      write(platform, 1)
      await sync()
      const { id, auto_response_status } = await rowOf('777_0')
      expect(auto_response_status).toBe('pending')
      const own = { text: 'Written by the owner', at: world.bench.now.getTime() }
      Object.assign(world[platform].reviews.get('777_0') ?? {}, { reply: own })
      world.liar.tell({ at: address, answer })
      for (const attempt of [1, 2, 3]) await world.reply(id, attempt).catch(() => undefined)
      expect(world.liar.told).toBeGreaterThan(0)
      expect(world[platform].replies).toEqual([])
      expect(world[platform].reviews.get('777_0')?.reply).toEqual(own)
      expect((await rowOf('777_0')).auto_response_status).not.toBe('sent')
    },
  )
})

describe.each([
  ['google', 'google reply'],
  ['facebook', 'facebook comment'],
] as const)('A reply that was sent to %s', (platform, address) => {
  test.each(
    liesAt(address).flatMap(
      ([name, answer]) =>
        [
          [name, 'took it', answer, true],
          [name, 'never got it', answer, false],
        ] as const,
    ),
  )('and answered with %s by a platform that %s is sent once, and said to be sent then', async (...given) => {
    const [name, , answer, reaches] = given
    // What lacks in an honest answer can only be shown where there is one.
    if (!reaches && name in (halfTruths[address] ?? {}) && !name.startsWith('an')) return
    await open(platform)
    await world.rules({ include_unrated: true })
    write(platform, 1)
    await sync()
    const { id } = await rowOf('777_0')
    world.liar.tell({ at: address, answer, reaches })
    await world.reply(id, 1).catch(() => undefined)
    expect(world.liar.told).toBe(1)
    expect(world[platform].replies).toHaveLength(reaches ? 1 : 0)
    expect((await rowOf('777_0')).auto_response_status).toBe('pending')
    world.liar.tell(null)
    world.later(hour)
    await world.reply(id, 2)
    expect(world[platform].replies).toHaveLength(1)
    expect((await rowOf('777_0')).auto_response_status).toBe('sent')
    expect(world[platform].complaints).toEqual([])
  })
})

describe('A row that cannot be read', () => {
  const spoil = (platform: 'google' | 'facebook', change: (row: Record<string, unknown>) => object) =>
    world.liar.tell({
      at: platform === 'google' ? 'google reviews' : 'facebook ratings',
      answer: changed((body) => {
        const key = platform === 'google' ? 'reviews' : 'data'
        const rows = body[key] as Record<string, unknown>[]
        return { ...body, [key]: rows.map((row, n) => (n === 1 ? change(row) : row)) }
      }),
    })

  test.each([
    ['google', 'no stars', ({ starRating: _, ...row }) => row],
    ['google', 'an unreadable time', (row) => ({ ...row, createTime: 'once' })],
    ['google', 'no id', ({ reviewId: _, ...row }) => row],
    [
      'google',
      'the name of another location',
      (row) => ({ ...row, name: 'accounts/1/locations/2/reviews/x' }),
    ],
    ['google', 'a reply without words', (row) => ({ ...row, reviewReply: {} })],
    ['google', 'nothing at all', () => ({})],
    ['facebook', 'an unknown recommendation', (row) => ({ ...row, recommendation_type: 'maybe' })],
    ['facebook', 'an unreadable time', (row) => ({ ...row, created_time: 'once' })],
    ['facebook', 'nothing at all', () => ({})],
  ] as ['google' | 'facebook', string, (row: Record<string, unknown>) => object][])(
    'of %s, with %s, costs no other row, keeps what is stored of it, and lets nothing be removed',
    async (platform, _, change) => {
      await open(platform)
      write(platform, 6)
      await sync()
      const before = await rowOf('777_1')
      world[platform].reviews.delete('777_4')
      Object.assign(world[platform].reviews.get('777_0') ?? {}, {
        text: 'new words',
        updated: world.bench.now.getTime(),
      })
      spoil(platform, change)
      await syncWhole()
      expect((await rowOf('777_0')).review_text).toBe('new words')
      expect(await removed()).toEqual([])
      const { synced_at: _s, gbp_api_synced_at: _g, updated_date: _u, ...after } = await rowOf('777_1')
      expect(before).toMatchObject(JSON.parse(JSON.stringify(after)))
    },
  )
})

describe("A language model's answer", () => {
  // Services that speak this protocol word their errors in several ways.
  const own = ['an error text with status 404', 'an error in no known form with status 404']
  test.each(kindsAt('language model').filter(([name]) => !own.includes(name)))(
    'that is %s is a fault, and never a judgement',
    async (_, answer) => {
      await open('google', { LLM_BASE_URL: 'http://llm.test/v1', LLM_MODEL: 'small' })
      write('google', 1)
      await sync()
      const before = await rowOf('777_0')
      world.model.answers.push('x', 'x', 'x')
      world.liar.tell({ at: 'language model', answer })
      const fault = await world.analyse(before.id).catch((error: unknown) => error)
      expect(fault).toMatchObject({ name: 'ServiceFault' })
      expect((await rowOf('777_0')).analysis_method).toBe(before.analysis_method)
    },
  )
})

describe('Every request for reviews', () => {
  /** Forms that take an empty object, and why they may. */
  const known = new Set([
    // Google leaves out empty fields: the first page of a location of which it never counted a review.
    "Google's page of reviews: {}",
  ])

  test('went to an address of this table, and each address was asked', async () => {
    await open('google')
    expect([...askedAnywhere].sort()).toEqual(addresses.map(([, name]) => name).sort())
  })

  test('names a form of its answer that takes nothing strange', async () => {
    await open('google')
    expect(forms.length).toBeGreaterThan(100)
    const taken = new Set(forms.flatMap(lax))
    expect([...taken].filter((one) => !known.has(one))).toEqual([])
  })
})
