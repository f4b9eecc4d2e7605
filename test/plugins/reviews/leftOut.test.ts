import { afterEach, describe, expect, test } from 'bun:test'
import { isServiceFault } from '../../../core/contracts/service-fault'
import { where } from '../../../core/contracts/where'
import { Notification } from '../../../core/tenancy/news/Notification'
import { dataforseoAbsences } from '../../../plugins/dataforseo/absences'
import { reviewFields as dataforseoFields } from '../../../plugins/dataforseo/reviews'
import { facebookAbsences } from '../../../plugins/facebook/absences'
import { recommendationFields } from '../../../plugins/facebook/review-forms'
import { googleAbsences } from '../../../plugins/google/absences'
import { pageFields, reviewFields } from '../../../plugins/google/review-forms'
import { publicReviewAbsences } from '../../../plugins/places/absences'
import { reviewFields as placesFields } from '../../../plugins/places/reviews'
import { Review } from '../../../plugins/reviews/records/Review'
import type { Liar } from '../../support/liar'
import { leaveOut, schemaPaths } from '../../support/schema-paths'
import { type Cut, cutPage, cutReviews, leftOutWorld } from './support/left-out-world'
import { platformWorld } from './support/platform-world'

/** The quick run leaves out each optional field, the long one every field. */
const isLong = process.env.RENOWN_LONG !== undefined
const hour = 3_600_000
const day = 24 * hour
let world: Awaited<ReturnType<typeof leftOutWorld>>
afterEach(() => world?.bench.stop())

const wireOf = ({ fields }: typeof googleAbsences) => Object.values(fields).flatMap(({ wire }) => wire)
const optional = (paths: ReturnType<typeof schemaPaths>) =>
  paths.filter(({ isOptional }) => isOptional).map(({ path }) => path)

test.each([
  ['Google', googleAbsences, reviewFields],
  ['Facebook', facebookAbsences, recommendationFields],
  ['Places', publicReviewAbsences, placesFields],
  ['DataForSEO', dataforseoAbsences, dataforseoFields],
] as const)(
  'the table of %s says of every field that may be left out what that means',
  (_, table, fields) => {
    expect(wireOf(table).toSorted()).toEqual(optional(schemaPaths(fields)).toSorted())
    for (const { source } of Object.values(table.fields)) expect(source.length).toBeGreaterThan(20)
  },
)

/** What people and figures rest on, without the instants of reading. */
const plain = (rows: Awaited<ReturnType<typeof world.rowsOf>>) =>
  rows.map(({ synced_at: _, gbp_api_synced_at: __, updated_date: ___, returned_by: ____, ...row }) => row)
const told = async (rows: ReturnType<typeof world.rowsOf>) =>
  plain(await rows).filter(({ source_id }) => source_id.startsWith('old'))
const sent = (id: string) => world.standIn(id).replies.map(({ review }) => review)
const verify = () => world.bench.command('review verify', {})

/** A location with answered reviews, open ones, an anonymous one and a rejected reply. */
function fill(id: string) {
  const at = world.bench.now.getTime() - 30 * day
  for (let n = 0; n < 8; n++) {
    const times = { created: at + n * 1_000, updated: at + n * 1_000 }
    const reply = { text: `Thank you ${n}`, at: at + hour, state: 'APPROVED' }
    world.write(id, `old${id}${n}`, { ...times, ...(n < 6 ? { reply } : {}) })
  }
  const spam = { text: 'Buy now', at: at + hour, state: 'REJECTED', violation: 'SPAM' }
  world.write(id, `old${id}x`, { created: at, updated: at, reply: spam })
  world.write(id, `old${id}y`, { created: at, updated: at, author: '', text: '' })
}

/** Adds what the stand-in does not send by itself. */
const enriched: Cut = (answer) => {
  const row = (review: { reviewer?: { displayName?: string } }) =>
    review.reviewer === undefined
      ? review
      : {
          ...review,
          reviewer:
            review.reviewer.displayName === ''
              ? { displayName: 'A Google user', isAnonymous: true }
              : { ...review.reviewer, profilePhotoUrl: 'https://photos.example/1' },
        }
  const { reviews, ...rest } = answer as { reviews?: readonly object[] }
  return reviews === undefined ? row(answer as object) : { ...rest, reviews: reviews.map(row) }
}

const cases: readonly (readonly [string, Cut])[] = [
  ...schemaPaths(reviewFields)
    .filter(({ isOptional }) => isOptional || isLong)
    .map(({ path }) => [path, cutReviews(path)] as const),
  ...schemaPaths(pageFields).map(({ path }) => [`the page without ${path}`, cutPage(path)] as const),
]
/** Fields without which nobody can know whether a review has a reply, or what a new review says. */
const doubts: ReadonlyMap<string, string> = new Map([
  ['reviewReply', 'replies'],
  ['comment', 'texts'],
])

describe('Google leaves out for a day, at one of three locations,', () => {
  test.each(cases)(
    '%s: nothing is lost, and nothing is sent in doubt',
    async (path, cut) => {
      world = await leftOutWorld()
      await world.rules({ delay_min_minutes: 30, delay_max_minutes: 30 })
      await world.addLocation('333')
      await world.addLocation('444')
      const all = ['222', '333', '444']
      for (const id of all) world.cut(id, enriched)
      for (const id of ['222', '333']) fill(id)
      await world.hours(1)
      const before = await told(world.rowsOf('222'))
      expect(before).toHaveLength(10)
      expect(await world.doubtOf('222')).toBeNull()

      world.cut('222', (answer) => cut(enriched(answer)))
      world.later(20 * 60_000)
      for (const id of all) for (let n = 0; n < 2; n++) world.write(id, `new${id}${n}`)
      await world.sync('222')
      // The owner answers one of them at Google while its answers are incomplete.
      const reply = { text: 'By hand', at: world.bench.now.getTime(), state: 'APPROVED' }
      Object.assign(world.standIn('222').reviews.get('new2220') ?? {}, { reply })
      await world.hours(23)
      expect(await told(world.rowsOf('222'))).toEqual(before)
      const about = doubts.get(path) ?? null
      const isDoubt = about !== null
      expect((await world.doubtOf('222'))?.about ?? null).toBe(about)
      expect(await world.doubtOf('333')).toBeNull()
      if (isDoubt) expect(sent('222')).toEqual([])
      if (about === 'replies') expect(sent('444')).toEqual([])
      // A location without doubt has sent everything that is due.
      expect(sent('333').toSorted()).toEqual(['new3330', 'new3331'])
      expect(await verify()).toMatchObject({ sound: true })

      world.cut('222', enriched)
      await world.hours(23)
      if (isDoubt) expect(sent('222')).toEqual([])
      const later = about === 'replies' ? 'automatic_replies' : about
      expect((await world.doubtOf('222'))?.about ?? null).toBe(later)
      await world.hours(5)
      expect(await world.doubtOf('222')).toBeNull()
      expect(await told(world.rowsOf('222'))).toEqual(before)
      const expected = [[`new2221`], ['new3330', 'new3331'], ['new4440', 'new4441']]
      expect(all.map((id) => sent(id).toSorted())).toEqual(expected)
      // The reply of the owner is as they wrote it, and no review was answered twice.
      expect(world.standIn('222').reviews.get('new2220')?.reply?.text).toBe('By hand')
      expect(all.flatMap((id) => world.standIn(id).complaints)).toEqual([])
      expect(await verify()).toMatchObject({ sound: true })
      const news = await world.owner.rows(Notification).list({ where: where.eq('type', 'location_in_doubt') })
      expect(news).toHaveLength(isDoubt ? 1 : 0)
      const skipped = (await world.rowsOf('222')).filter((row) => row.auto_response_status === 'skipped')
      expect(skipped.filter(({ auto_response_reason }) => auto_response_reason === undefined)).toEqual([])
    },
    120_000,
  )
})

const onFacebook: readonly (readonly [string, Cut])[] = schemaPaths(recommendationFields)
  .filter(({ isOptional }) => isOptional || isLong)
  .map(({ path }) => [path, cutReviews(path)] as const)

const imported = [
  ['places', placesFields],
  ['dataforseo', dataforseoFields],
] as const

describe.each(imported)('%s leaves out for a day', (platform, fields) => {
  test.each(schemaPaths(fields))('$path: nothing is lost', async ({ path }) => {
    const answers = { cut: null as ((answer: unknown) => unknown) | null }
    const liar = {
      async answer(_: Request, honest: () => Promise<Response>) {
        const answer = await honest()
        return answers.cut === null ? answer : Response.json(answers.cut(await answer.json()))
      },
    } as unknown as Liar
    const imports = await platformWorld({ platform, liar })
    try {
      const at = imports.bench.now.getTime() - day
      for (let n = 0; n < 3; n++) {
        const said = { stars: 5, text: `Lovely cake ${n}`, author: 'Ann Lee', created: at, updated: at }
        imports.google.reviews.set(`r${n}`, { id: `r${n}`, ...said, reply: { text: 'Thanks', at } })
      }
      const read = async () => {
        for (let attempt = 1; attempt < 5; attempt++) {
          const isDone = await imports.again(attempt).then(
            () => true,
            (error) => (isServiceFault(error) ? false : Promise.reject(error)),
          )
          if (isDone) break
          imports.later(10 * 60_000)
        }
        return plain(await imports.owner.rows(Review).list())
      }
      const before = await read()
      expect(before).toHaveLength(3)
      answers.cut = (answer) => leaveOutOfReviews(answer, path)
      imports.later(day)
      expect(await read()).toEqual(before)
      answers.cut = null
      imports.later(day)
      expect(await read()).toEqual(before)
    } finally {
      await imports.bench.stop()
    }
  })
})

/** Leaves a field out of the reviews of a place, or of the items of a result. */
function leaveOutOfReviews(answer: unknown, path: string): unknown {
  const { reviews, tasks } = answer as {
    reviews?: unknown
    tasks?: readonly { result?: readonly object[] }[]
  }
  if (reviews !== undefined) return { ...(answer as object), reviews: leaveOut(reviews, path) }
  const cut = (result: object) => leaveOut(result, `items.${path}`)
  if (tasks === undefined) return answer
  return {
    ...(answer as object),
    tasks: tasks.map((task) => (task.result ? { ...task, result: task.result.map(cut) } : task)),
  }
}

describe('Facebook leaves out for a day', () => {
  test.each(onFacebook)(
    '%s: nothing is lost, and nothing is sent in doubt',
    async (_, cut) => {
      world = await leftOutWorld('facebook')
      await world.rules({ delay_min_minutes: 30, delay_max_minutes: 30, include_unrated: true })
      fill('222')
      await world.hours(1)
      const before = await told(world.rowsOf('222'))
      world.cut('222', cut)
      world.later(20 * 60_000)
      for (let n = 0; n < 2; n++) world.write('222', `new${n}`)
      await world.sync('222')
      const reply = { text: 'By hand', at: Math.floor(world.bench.now.getTime() / 1_000) * 1_000 }
      Object.assign(world.standIn('222').reviews.get('new0') ?? {}, { reply })
      await world.hours(23)
      expect(await told(world.rowsOf('222'))).toEqual(before)
      world.cut('222', null)
      await world.hours(30)
      expect(await told(world.rowsOf('222'))).toEqual(before)
      expect([sent('222'), world.standIn('222').complaints]).toEqual([['new1'], []])
      expect(await world.doubtOf('222')).toBeNull()
      expect(await verify()).toMatchObject({ sound: true })
    },
    120_000,
  )
})
