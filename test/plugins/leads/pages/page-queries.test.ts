import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AnyEntity } from '../../../../core/contracts/entity'
import { totalSort, withId } from '../../../../core/stores/documents/indexes'
import { conjuncts, planOf } from '../../../../core/stores/documents/plan'
import type { Collection, Documents, FindQuery } from '../../../../core/stores/documents/port'
import { openSqlite } from '../../../../core/stores/documents/sqlite/index'
import { SourceTarget } from '../../../../plugins/leads/records/SourceTarget'
import { quietLog as log } from '../../../support/quiet-log'
import { type MentionPages, mentionPages } from '../support/mention-pages'

/**
 * What the pages of mentions ask of the store. With a hundred thousand mentions, only a query that reads along an index
 * is quick: an index must give the order, and the conditions that it does not have may only leave out rows on the way.
 */
const own = new Set(['Mention', 'BrandTracker', 'SourceTarget', 'Lead'])
const asked: { readonly entity: AnyEntity; readonly query: FindQuery }[] = []

/** A store that keeps each query for records of this plugin. */
const recording = (documents: Documents): Documents =>
  new Proxy(documents, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (name !== 'collection') return typeof value === 'function' ? value.bind(target) : value
      return (entity: AnyEntity) => recorded(entity, target.collection(entity))
    },
  })

const recorded = (entity: AnyEntity, collection: Collection): Collection =>
  new Proxy(collection, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        if (name === 'find' && own.has(entity.name)) asked.push({ entity, query: given[0] as FindQuery })
        return value.apply(target, given)
      }
    },
  })

let world: MentionPages
let mention = ''
beforeAll(async () => {
  const documents = await openSqlite({ path: ':memory:', now: () => new Date(), log })
  world = await mentionPages({ documents: recording(documents) })
  mention = (await world.mention()).id
  await world.mention({ duplicate_of: mention })
  await world.gate.owner.rows(SourceTarget).insert({
    workspace_id: 'shared',
    source: 'hackernews',
    target: 'blue bottle',
    failures: 9,
    error: 'no',
    due_at: '2026-03-01T00:00:00.000Z',
    posts_seen: 0,
    unread_seen: 0,
  })
})
afterAll(() => world.gate.stop())

/** What is wrong with a query. Null if an index gives its order and it ends. */
function faultOf({ entity, query }: (typeof asked)[number]): string | null {
  const sort = query.sort ? withId(query.sort) : totalSort(entity)
  const words = JSON.stringify({ entity: entity.name, ...query })
  if (query.limit === undefined) return `without a limit: ${words}`
  const { covered, narrowed } = planOf(entity, query.where, sort)
  // A few named rows, found by an index and sorted afterwards.
  const { leaves } = conjuncts(query.where)
  const found = conjuncts(narrowed).leaves
  if (leaves.some(({ op }) => op === 'in') && leaves.every((leaf) => found.includes(leaf))) return null
  return covered || planOf(entity, narrowed, sort).covered ? null : `without an index: ${words}`
}

test.each([
  '/app/mentions',
  ...['state=any', 'state=saved', 'state=removed', 'relevance=any', 'relevance=irrelevant', 'unread=1'].map(
    (query) => `/app/mentions?${query}`,
  ),
  ...[
    'source=reddit',
    'sentiment=negative',
    'tracker=trk_1',
    'location=loc_1',
    'lead=1',
    'q=x',
    'days=7',
  ].map((query) => `/app/mentions?${query}`),
  '/app/mentions?state=any&relevance=any&unread=1&source=reddit&q=x&after=2026-03-01T00:00:00.000Z~men_1',
  '/app/mentions?mention=MENTION',
  '/app/mentions/trackers',
  '/app/mentions/tracker?tracker=TRACKER',
  '/app/locations/one?location=LOCATION',
  '/app/inbox?kind=mentions',
  '/app',
])('each query of %s reads along an index', async (path) => {
  asked.length = 0
  const named = path
    .replace('MENTION', mention)
    .replace('TRACKER', world.tracker.id)
    .replace('LOCATION', world.location.id)
  expect((await world.ada.open(named)).status).toBe(200)
  expect(asked.length).toBeGreaterThan(0)
  expect(asked.map(faultOf).filter((fault) => fault !== null)).toEqual([])
})

test('a page of the list makes the same number of queries whatever it shows', async () => {
  const queriesOf = async () => {
    asked.length = 0
    await world.ada.open('/app/mentions')
    return asked.length
  }
  const few = await queriesOf()
  for (let n = 0; n < 60; n++) await world.mention()
  expect(await queriesOf()).toBe(few)
})
