import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { BusinessLocation } from '../../../../core/product/tenancy-plugin'
import { getReputationSummary } from '../../../../plugins/reviews/operations/getReputationSummary'
import { reviewBench } from '../support/bench'

let held: Awaited<ReturnType<typeof reviewBench>>
beforeEach(async () => {
  held = await reviewBench()
  for (const [id, business_name, is_prospect] of [
    ['loc_1', 'Bakery', false],
    ['loc_2', 'Café', false],
    ['loc_3', 'Pitched', true],
  ] as const) {
    const rest = {
      is_active: !is_prospect,
      auto_response_enabled: false,
      last_full_review_sync_at: '2026-03-14T00:00:00.000Z',
    }
    await held.bench.owner
      .rows(BusinessLocation)
      .insert({ id, workspace_id: 'wsp_1', business_name, is_prospect, ...rest })
  }
  const at = (day: string) => ({ review_created_at: `${day}T12:00:00.000Z` })
  const now = at('2026-03-10')
  for (const stars of [5, 5, 5, 5]) await held.review({ ...now, star_rating: stars })
  await held.review({ ...now, star_rating: 1, needs_response: true })
  await held.review({ ...now, star_rating: 4, location_id: 'loc_2', reply_text: 'Thanks' })
  await held.review({
    ...now,
    star_rating: null,
    location_id: 'loc_2',
    source: 'facebook',
    needs_response: true,
  })
  await held.review({ ...at('2026-01-01'), star_rating: 2, location_id: 'loc_2', needs_response: true })
  await held.review({ ...at('2026-02-10'), star_rating: 3 })
  await held.review({
    ...now,
    star_rating: 1,
    removed_at_source_at: '2026-03-11T00:00:00.000Z',
    needs_response: true,
  })
  const mention = (sentiment: 'positive' | 'negative' | undefined, more: object = {}) =>
    held.mention({ posted_at: '2026-03-09T00:00:00.000Z', ...(sentiment ? { sentiment } : {}), ...more })
  await mention('positive')
  await mention('negative')
  await mention(undefined, { location_id: 'loc_2' })
  await mention('negative', { is_archived: true })
  await mention('negative', { relevance: 'irrelevant' })
  await mention('negative', { posted_at: '2026-02-09T00:00:00.000Z' })
})
afterEach(() => held.bench.stop())
const ask = (input: object = {}) => held.run(getReputationSummary, { ...input })

describe('getReputationSummary', () => {
  test('does not compare with days whose reviews were not all read', async () => {
    expect(await ask()).toMatchObject({ read_in_whole: true, previous_score: { value: 0 } })
    await held.bench.owner.rows(BusinessLocation).update('loc_1', { last_full_review_sync_at: undefined })
    const answer = await ask()
    expect(answer).toMatchObject({ read_in_whole: false, previous_score: { value: null } })
    const one = answer.locations.find(({ location_id }) => location_id === 'loc_1')
    expect(one).toMatchObject({ previous_reviews: 1, previous_average_rating: null })
    expect(await ask({ location_id: 'loc_2' })).toMatchObject({ read_in_whole: true })
  })

  test('adds up what was worked out by hand', async () => {
    const answer = await ask()
    expect(answer.period).toMatchObject({ date_from: '2026-02-16', date_to: '2026-03-15' })
    expect(answer.reviews).toMatchObject({ reviews: 7, rated: 6, average_rating: 4.1667, replied: 1 })
    expect(answer.previous_reviews).toMatchObject({ reviews: 1, average_rating: 3 })
    expect(answer.waiting).toBe(3)
    // The lower end of Wilson's interval for 5 in 6 is 0.436.
    expect(answer.score).toEqual({ definition: 'reputation.score@1', value: 44 })
    expect(answer.previous_score.value).toBe(0)
  })

  test('lists locations, the most reviewed first, and no prospects', async () => {
    const { locations, locations_total } = await ask()
    expect(locations_total).toBe(2)
    expect(locations).toMatchObject([
      {
        location_id: 'loc_1',
        business_name: 'Bakery',
        reviews: 5,
        previous_reviews: 1,
        average_rating: 4.2,
        waiting: 1,
      },
      { location_id: 'loc_2', reviews: 2, average_rating: 4, previous_average_rating: null, waiting: 2 },
    ])
    expect(locations[1]?.response_rate).toMatchObject({ k: 1, n: 2, rate: 0.5 })
    expect(locations.map(({ score }) => score.value)).toEqual([38, 21])
  })

  test('names every one of 300 locations, page by page, each once', async () => {
    const rest = { workspace_id: 'wsp_1', is_prospect: false, is_active: true, auto_response_enabled: false }
    for (let n = 0; n < 298; n++)
      await held.bench.owner.rows(BusinessLocation).insert({ ...rest, business_name: `Shop ${n % 7}` })
    const first = await ask()
    expect([first.locations.length, first.locations_total, first.limit, first.skip]).toEqual([
      200, 300, 200, 0,
    ])
    expect(first.has_more).toBe(true)
    const names: string[] = []
    for (let skip = 0; ; skip += 70) {
      const page = await ask({ limit: 70, skip })
      expect([page.reviews, page.score]).toEqual([first.reviews, first.score])
      names.push(...page.locations.map(({ location_id }) => location_id))
      if (!page.has_more) break
    }
    expect([names.length, new Set(names).size]).toEqual([300, 300])
    expect(names.slice(0, 200)).toEqual(first.locations.map(({ location_id }) => location_id))
  })

  test('orders locations of one name by id, so that no page has one twice', async () => {
    const rows = held.bench.owner.rows(BusinessLocation)
    const twin = {
      workspace_id: 'wsp_1',
      business_name: 'Twin',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
    }
    for (const id of ['loc_t2', 'loc_t4', 'loc_t1', 'loc_t3']) await rows.insert({ id, ...twin })
    const twins = (of: Awaited<ReturnType<typeof ask>>) =>
      of.locations
        .filter(({ business_name }) => business_name === 'Twin')
        .map(({ location_id }) => location_id)
    const all = await ask()
    expect(twins(all)).toEqual(['loc_t1', 'loc_t2', 'loc_t3', 'loc_t4'])
    const pages = []
    for (let skip = 0; skip < all.locations_total; skip += 2)
      pages.push(...twins(await ask({ limit: 2, skip })))
    expect(pages).toEqual(['loc_t1', 'loc_t2', 'loc_t3', 'loc_t4'])
  })

  test('counts mentions that are neither archived nor irrelevant', async () => {
    const { mentions } = await ask()
    expect(mentions).toMatchObject({ total: 3, previous_total: 1 })
    expect(mentions.negative_share).toMatchObject({
      definition: 'mentions.negative_share@1',
      k: 1,
      n: 2,
      rate: 0.5,
    })
    expect(mentions.by_sentiment.map((row) => row.mentions)).toEqual([1, 0, 0, 1, 1])
  })

  test('says how many mentions have no known date, and counts them nowhere else', async () => {
    const found = { discovered_at: '2026-03-09T00:00:00.000Z' }
    await held.mention({ posted_at: undefined, ...found })
    await held.mention({ posted_at: undefined, location_id: 'loc_2', ...found })
    await held.mention({ posted_at: undefined, discovered_at: '2025-03-09T00:00:00.000Z' })
    expect((await ask()).mentions).toMatchObject({ total: 3, undated: 2 })
    expect((await ask({ location_id: 'loc_2' })).mentions).toMatchObject({ undated: 1 })
  })

  test('narrows to a location; nothing of it is answered from another workspace', async () => {
    const one = await ask({ location_id: 'loc_2' })
    expect(one).toMatchObject({
      reviews: { reviews: 2 },
      waiting: 2,
      mentions: { total: 1 },
      locations_total: 1,
    })
    const elsewhere = await held.run(getReputationSummary, {}, { workspace: 'wsp_2' })
    expect(elsewhere).toMatchObject({
      reviews: { reviews: 0 },
      waiting: 0,
      locations: [],
      score: { value: null },
    })
  })
})
