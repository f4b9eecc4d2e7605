import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Person } from '../../../../core/auth/sessions'
import { isRefusal } from '../../../../core/contracts/errors'
import type { RequestState } from '../../../../core/requests/request'
import { createPageShares } from '../../../../core/web/framework/page-shares'
import { currentWork, requestWork, runWork } from '../../../../core/work/scope'
import { type Gate, startGate } from '../../../support/harness'
import { counterPage, withPages } from '../../../support/pages'
import { signedIn } from '../../../support/signed-in'

let gate: Gate
beforeAll(async () => {
  const settings = { LIMIT_PAGES_PER_MINUTE: '3', LIMIT_AGENCY_PAGES_PER_MINUTE: '5' }
  gate = await startGate({ plugins: [withPages(counterPage)], settings })
})
afterAll(() => gate.stop())

const personOf = (id: string, agency_id: string) => ({ id, agency_id }) as unknown as Person
const state = {} as RequestState

/** Asks for pages that are made until `finish`. */
function bench() {
  const shares = createPageShares({ count: () => {} })
  const made: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const open = (id: string, agency: string) =>
    runWork(requestWork({ limitMs: 60_000, disconnected: () => undefined }), () =>
      shares.run(state, personOf(id, agency), async () => {
        made.push(id)
        await promise
        return new Response(id)
      }),
    )
  const settle = async () => {
    for (let turns = 0; turns < 100; turns++) await new Promise((end) => setImmediate(end))
  }
  return { made, open, settle, finish: resolve }
}

test('sixty pages of one person leave room for those of others in the agency, and of another agency', async () => {
  const { made, open, settle, finish } = bench()
  const loud = Array.from({ length: 60 }, () => open('loud', 'a'))
  const others = [open('colleague', 'a'), open('quiet', 'b')]
  await settle()
  expect(made.filter((id) => id === 'loud')).toHaveLength(6)
  expect(made).toContain('colleague')
  expect(made).toContain('quiet')
  finish()
  expect(await Promise.all([...loud, ...others])).toHaveLength(62)
})

test('pages have a share of their own beside the programs of the agency', async () => {
  const shares = createPageShares({ count: () => {} })
  const work = requestWork({ limitMs: 60_000, disconnected: () => undefined })
  const make = async () => new Response(currentWork().tenant)
  const answer = await runWork(work, () => shares.run(state, personOf('ada', 'a'), make))
  expect(await answer.text()).not.toBe('a')
})

test('an agency makes sixteen pages at once, however many people it has', async () => {
  const { made, open, settle, finish } = bench()
  const all = Array.from({ length: 40 }, (_, n) => open(`person ${n}`, 'a'))
  all.push(open('quiet', 'b'))
  await settle()
  expect(made.filter((id) => id !== 'quiet')).toHaveLength(16)
  expect(made).toContain('quiet')
  finish()
  await Promise.all(all)
})

test('what one person opens beyond the places is 429', async () => {
  const { open, settle, finish } = bench()
  const all = Array.from({ length: 80 }, () => open('loud', 'a').catch((error) => error))
  await settle()
  finish()
  const refused = (await Promise.all(all)).filter((end) => isRefusal(end) && end.status === 429)
  expect(refused).toHaveLength(14)
})

test('pages and their data are counted for the person and the agency, with RateLimit on each answer', async () => {
  const browse = async (cookie: string, path = '/app/counter') => {
    const answer = await gate.ask(path, { key: null, headers: { cookie } })
    return {
      status: answer.status,
      limits: answer.headers.get('ratelimit'),
      retry: answer.headers.get('retry-after'),
    }
  }
  const ada = await signedIn(gate)
  expect((await browse(ada.cookie)).limits).toMatch(/^"pages";r=2;t=\d+, "agency-pages";r=4;t=\d+$/)
  await browse(ada.cookie, '/app/data/counter.json')
  await browse(ada.cookie)
  const over = await browse(ada.cookie)
  expect(over.status).toBe(429)
  expect(Number(over.retry)).toBeGreaterThan(0)
  const ben = await signedIn(gate, { email: 'ben@example.org' })
  expect((await browse(ben.cookie)).status).toBe(200)
  expect((await browse(ben.cookie)).status).toBe(200)
  expect((await browse(ben.cookie)).status).toBe(429)
  const other = await signedIn(gate, { agencyId: gate.stranger.agencyId })
  expect((await browse(other.cookie)).status).toBe(200)
})
