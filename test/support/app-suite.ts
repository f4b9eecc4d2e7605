import { expect } from 'bun:test'
import { browser, gptBot, insideAddress, site } from '../ingest/support/ingest'
import { type App, type AppRoad, withAppRoad } from './app-road'
import { waitFor } from './wait-for'

/** Starts an app with an integration. It answers `/page/…` with `page`, `/gone` with 404, and trusts one proxy. */
export type StartApp = (road: AppRoad) => Promise<App>

export interface AppTraits {
  /** Whether hits that were not sent survive a kill. */
  readonly isDurable?: boolean
  /** Whether it drops a hit after a few tries. */
  readonly givesUp?: boolean
  /** Whether the integration sees the status of the answer. */
  readonly seesStatus?: boolean
  /** In how many milliseconds the app ends while the ingest hangs. */
  readonly endsWithinMs?: number
}

/** Each test of an integration, by what it guarantees. */
export function appTests(
  start: StartApp,
  { isDurable, givesUp, seesStatus = true, endsWithinMs = 8_000 }: AppTraits = {},
) {
  return {
    'reports the requests of agents with all fields, and none of people': () =>
      withAppRoad(async (road) => {
        const app = await start(road)
        const forwarded = { 'x-forwarded-for': `198.51.100.9, ${insideAddress}` }
        expect(await app.visit('/page/1?a=b', { ...forwarded, referer: 'https://chatgpt.com/' })).toContain(
          'page',
        )
        await app.visit('/gone', forwarded)
        await app.visit('/page/person', { ...forwarded, 'user-agent': browser })
        await fetch(`${app.origin}/page/posted`, { method: 'POST', headers: { 'user-agent': gptBot } })
        const hits = await road.counted(2)
        expect(hits.map(({ agent, path, verdict }) => [agent, path, verdict]).toSorted()).toEqual([
          ['GPTBot', '/gone', 'verified'],
          ['GPTBot', '/page/1', 'verified'],
        ])
        const [page, gone] = road.reported.toSorted((a, b) => String(b.url).localeCompare(String(a.url)))
        expect(page).toMatchObject({
          ip: insideAddress,
          method: 'GET',
          host: site.domain,
          referer: 'https://chatgpt.com/',
        })
        expect(String(page?.url)).toEndWith('/page/1?a=b')
        if (seesStatus) expect([page?.status, gone?.status]).toEqual([200, 404])
        expect(new Set(road.reported.map(({ ua }) => ua))).toEqual(new Set([gptBot]))
      }),

    'counts each hit once through an outage, lost answers, a hanging ingest and a kill': () =>
      withAppRoad(async (road) => {
        let app = await start(road)
        let visited = 0
        const visit = async (times: number) => {
          for (const end = visited + times; visited < end; visited++) await app.visit(`/page/${visited}`)
        }
        for (const fault of ['outage', 'lost answer', 'hang'] as const) {
          road.fault = fault
          const before = road.tries
          await visit(5)
          await waitFor(() => road.tries > before, { what: `a try in the ${fault}` })
          await visit(5)
        }
        road.fault = 'none'
        if (givesUp) {
          await visit(3)
          const last = Array.from({ length: 3 }, (_, n) => `/page/${visited - 1 - n}`)
          await waitFor(
            async () => {
              const paths = (await road.counted(3)).map(({ path }) => path)
              expect(new Set(paths).size).toBe(paths.length)
              return last.every((path) => paths.includes(path))
            },
            { what: 'the hits after the faults' },
          )
          return
        }
        await visit(1)
        const all = () => Array.from({ length: visited }, (_, n) => `/page/${n}`).toSorted()
        const paths = async () =>
          (await road.counted(visited)).map(({ path }) => path).filter((path) => path !== '/page/killed')
        expect((await paths()).toSorted()).toEqual(all())
        road.fault = 'hang'
        const tries = road.tries
        await app.visit('/page/killed')
        // A visitor has the answer before the hit is on the disk.
        if (isDurable) await waitFor(() => road.tries > tries, { what: 'a try before the kill' })
        await app.end('SIGKILL')
        road.fault = 'none'
        app = await start(road)
        await visit(3)
        await waitFor(async () => (await paths()).length >= visited, { what: 'the hits after the kill' })
        expect((await paths()).toSorted()).toEqual(all())
        const killed = async () =>
          (await road.counted(visited)).filter(({ path }) => path === '/page/killed').length
        if (isDurable) await waitFor(async () => (await killed()) === 1, { what: 'the hit before the kill' })
        expect(await killed()).toBeLessThanOrEqual(1)
      }),

    'sends what is left when the app ends, and ends in time if the ingest hangs': () =>
      withAppRoad(async (road) => {
        const first = await start(road)
        await first.visit('/page/last')
        const sent = async () => (await road.counted(1)).map(({ path }) => path)
        if (isDurable) await sent()
        await first.end('SIGTERM')
        if (!isDurable) expect(await sent()).toEqual(['/page/last'])
        const second = await start(road)
        expect(await sent()).toEqual(['/page/last'])
        road.fault = 'hang'
        await second.visit('/page/late')
        expect(await second.end('SIGTERM')).toBeLessThan(endsWithinMs)
      }),
  }
}
