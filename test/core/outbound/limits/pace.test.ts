import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import type { ServiceCall } from '../../../../core/contracts/outbound'
import { readSettings } from '../../../../core/contracts/settings'
import { createAskService } from '../../../../core/outbound/ask-service'
import { rateLimits } from '../../../../core/outbound/limits/limits'
import { createPace } from '../../../../core/outbound/limits/pace'
import { ServicePace } from '../../../../core/outbound/limits/ServicePace'
import type { Documents } from '../../../../core/stores/documents/port'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import { facebookFault } from '../../../../plugins/facebook/graph-api'
import { googleFault } from '../../../../plugins/google/ask'
import { platformSettings, providers } from '../../../support/platforms'
import { quietLog } from '../../../support/quiet-log'
import { type VirtualTime, virtualTime } from '../../../support/virtual-time'

const minute = 60_000
const settings = {
  GOOGLE_REVIEWS_URL: 'http://google.test/v4',
  FACEBOOK_GRAPH_URL: 'http://graph.test',
  GOOGLE_CALLS_PER_MINUTE: '60',
  CALLS_KEPT_FOR_REPLIES: '6',
  FACEBOOK_CALLS_PER_MINUTE: '30',
}
const profile = 'accounts/1/locations/2'
const page = { url: `http://google.test/v4/${profile}/reviews?pageSize=50` }
const reply = { url: `http://google.test/v4/${profile}/reviews/r1/reply`, method: 'PUT' as const, json: {} }

let time: VirtualTime
let documents: Documents
/** When which request arrived. */
let calls: { readonly at: number; readonly url: string; readonly method: string }[]
let answers: (() => Response)[]
beforeEach(async () => {
  time = virtualTime()
  documents = await openSqlite({ path: ':memory:', now: time.now, log: quietLog })
  await documents.ensure([ServicePace])
  calls = []
  answers = []
})
afterEach(() => documents.close())

/** One process on the shared documents. */
const startProcess = () => {
  const ask = createAskService({
    now: time.now,
    fetch: async (url, init) => {
      calls.push({ at: time.elapsed(), url, method: init.method ?? 'GET' })
      return answers.shift()?.() ?? Response.json({})
    },
  })
  const limits = rateLimits(providers, readSettings(settings, platformSettings))
  const paced = createPace({ documents, clock: time, limits, sleep: time.sleep })
  const through = paced(ask)
  return (call: ServiceCall) => {
    const faultOf = call.url.startsWith(settings.FACEBOOK_GRAPH_URL) ? facebookFault : googleFault
    return through({ ...call, what: 'The answer', answer: v.looseObject({}), faultOf })
  }
}
const many = <T>(count: number, make: (n: number) => Promise<T>) =>
  Array.from({ length: count }, (_, n) => make(n))
/** The most calls that arrived in any minute. */
const busiest = (ats: readonly number[]) =>
  Math.max(...ats.map((from) => ats.filter((at) => at >= from && at < from + minute).length))
const limited = (code = 429, retryAfter = '30') =>
  Response.json(
    { error: { code, status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded' } },
    { status: code, headers: { 'retry-after': retryAfter } },
  )

describe("A platform's rate limit", () => {
  test('is kept by all processes together, in every minute, and used up', async () => {
    const one = startProcess()
    const two = startProcess()
    await time.run(Promise.all(many(150, (n) => (n % 2 ? one(page) : two(page)))))
    expect(calls).toHaveLength(150)
    expect(busiest(calls.map(({ at }) => at))).toBeLessThanOrEqual(60)
    // 60 in a minute, of which 6 are kept for replies and 1 is the burst of reading: 53 a minute for a start.
    expect(time.elapsed()).toBeLessThan((150 / 53) * minute + 1_000)
  })

  test('lasts through a restart', async () => {
    await time.run(Promise.all(many(40, () => startProcess()(page))))
    await time.run(Promise.all(many(40, () => startProcess()(page))))
    expect(busiest(calls.map(({ at }) => at))).toBeLessThanOrEqual(60)
  })

  test('leaves replies and people a part that reading never uses', async () => {
    const ask = startProcess()
    const reading = Promise.allSettled(many(40, () => ask(page)))
    const replies = (async () => {
      while (time.elapsed() < 20_000) await time.sleep(100)
      const before = calls.length
      const from = time.elapsed()
      await Promise.all([
        ask({ url: `${page.url}&urgent`, isUrgent: true }),
        ...many(4, (n) => ask({ ...reply, url: reply.url.replace('locations/2', `locations/${n}`) })),
      ])
      const urgent = calls
        .slice(before)
        .filter(({ url, method }) => method === 'PUT' || url.endsWith('urgent'))
      return urgent.map(({ at }) => at - from)
    })()
    expect(await time.run(replies)).toEqual([0, 0, 0, 0, 0])
    await time.run(reading)
    expect(busiest(calls.map(({ at }) => at))).toBeLessThanOrEqual(60)
  })

  test('of edits holds for each profile by itself', async () => {
    const ask = startProcess()
    await time.run(Promise.all(many(20, () => ask(reply))))
    expect(busiest(calls.map(({ at }) => at))).toBeLessThanOrEqual(10)
    const from = time.elapsed()
    await time.run(ask({ ...reply, url: reply.url.replace('locations/2', 'locations/3') }))
    expect(time.elapsed()).toBe(from)
  })

  test('that the platform says is used up holds everybody off until its time, replies too', async () => {
    const one = startProcess()
    const two = startProcess()
    answers.push(() => limited())
    await time.run(Promise.allSettled([one(page)]))
    const wait = { kind: 'rate', code: 'paced', retryAfterMs: 30_000 }
    await expect(one(page)).rejects.toMatchObject(wait)
    await expect(two(reply)).rejects.toMatchObject(wait)
    expect(calls).toHaveLength(1)
    time.moveTo(time.now().getTime() + 25_000)
    // Nearly over: it is worth waiting for.
    await time.run(Promise.all([one(page), two(page)]))
    expect(calls.slice(1).every(({ at }) => at >= 30_000)).toBe(true)
  })

  test('of one Page of Facebook leaves the others alone, and that of the app does not', async () => {
    const ask = startProcess()
    const ratings = { url: 'http://graph.test/v21.0/777/ratings' }
    const refused = (code: number) => () =>
      Response.json({ error: { code, message: 'limit' } }, { status: 400 })
    answers.push(refused(32))
    await time.run(Promise.allSettled([ask(ratings)]))
    await time.run(ask(ratings))
    answers.push(refused(4))
    await time.run(Promise.allSettled([ask(ratings)]))
    // Facebook names no time, so it is a minute.
    await expect(ask(ratings)).rejects.toMatchObject({ kind: 'rate', code: 'paced', retryAfterMs: 60_000 })
  })

  test('that refuses an edit of one profile holds off every other call too', async () => {
    const ask = startProcess()
    answers.push(() => limited())
    await time.run(Promise.allSettled([ask(reply)]))
    const wait = { kind: 'rate', code: 'paced', retryAfterMs: 30_000 }
    await expect(ask(page)).rejects.toMatchObject(wait)
    const other = ask({ ...reply, url: reply.url.replace('locations/2', 'locations/3') })
    await expect(other).rejects.toMatchObject(wait)
    expect(calls).toHaveLength(1)
  })

  test('does not hold up other services', async () => {
    const ask = startProcess()
    await time.run(Promise.all(many(100, () => ask({ url: 'http://google.test/token', form: {} }))))
    expect(time.elapsed()).toBe(0)
  })

  test('is not waited for by a job that has ended', async () => {
    const ask = startProcess()
    const stop = new AbortController()
    const waiting = Promise.allSettled(many(30, () => ask({ ...page, signal: stop.signal })))
    const stopped = time.sleep(2_000).then(() => stop.abort(new Error('stopped')))
    const ends = await time.run(waiting)
    await stopped
    expect(ends.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(20)
    expect(calls.length).toBeLessThan(10)
  })
})
