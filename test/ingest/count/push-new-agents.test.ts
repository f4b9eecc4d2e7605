import { afterEach, expect, jest, test } from 'bun:test'
import { newAgentSitesMax } from '../../../core/contracts/new-agents'
import { pushNewAgents } from '../../../ingest/count/push-new-agents'
import { waitFor } from '../../support/wait-for'
import { silentLog } from '../support/journal'

test('an ingest elsewhere sends its reports with the secret, and again what was refused', async () => {
  const sent: unknown[] = []
  let status = 503
  const fetch = async (url: string, { headers, body }: RequestInit) => {
    const { authorization } = headers as Record<string, string>
    sent.push([url, authorization, (JSON.parse(String(body)) as { next: number }).next, status])
    const answer = new Response('', { status })
    status = 200
    return answer
  }
  const asked: number[] = []
  const ingest = {
    async newAgents(after: number) {
      asked.push(after)
      const sites = after < 7 ? [{ site_id: 'site_1', floor: 0, gone: [], agents: [] }] : []
      return { instance: 'a'.repeat(16), next: 7, sites }
    },
  }
  const pushing = pushNewAgents(ingest, {
    url: 'https://gateway.example',
    secret: 'shh',
    fetch,
    log: silentLog,
    everyMs: 5,
  })
  await waitFor(() => asked.includes(7), { what: 'the report after the last' })
  pushing.stop()
  const address = 'https://gateway.example/internal/new-agents'
  expect(sent).toEqual([
    [address, 'Bearer shh', 7, 503],
    [address, 'Bearer shh', 7, 200],
  ])
  expect(asked.slice(0, 3)).toEqual([0, 0, 7])
})

afterEach(() => void jest.useRealTimers())

test('a report goes out each minute as JSON, page after page while pages are full, and a turn waits for the last', async () => {
  jest.useFakeTimers()
  const sent: { headers: unknown; method: unknown; sites: number }[] = []
  let answers = Promise.withResolvers<void>()
  const fetch = async (_: string, { headers, method, body }: RequestInit) => {
    sent.push({ headers, method, sites: (JSON.parse(String(body)) as { sites: unknown[] }).sites.length })
    await answers.promise
    return new Response('')
  }
  const asked: number[] = []
  const pages = [newAgentSitesMax, newAgentSitesMax - 1]
  const newAgents = async (after: number) => {
    asked.push(after)
    const site = (_: unknown, at: number) => ({ site_id: `site_${at}`, floor: 0, gone: [], agents: [] })
    return {
      instance: 'a'.repeat(16),
      next: after + 1,
      sites: Array.from({ length: pages.shift() ?? 0 }, site),
    }
  }
  const options = { url: 'https://gateway.example', secret: 'shh', fetch, log: silentLog }
  const pushing = pushNewAgents({ newAgents }, options)
  const steps = async () => {
    for (let n = 0; n < 20; n++) await Promise.resolve()
  }
  jest.advanceTimersByTime(59_999)
  await steps()
  expect(asked).toEqual([])
  jest.advanceTimersByTime(1)
  await steps()
  // Nobody has answered yet, so the next minute begins nothing.
  jest.advanceTimersByTime(60_000)
  await steps()
  expect(asked).toEqual([0])
  answers.resolve()
  await steps()
  expect(asked).toEqual([0, 1])
  answers = Promise.withResolvers()
  answers.resolve()
  jest.advanceTimersByTime(60_000)
  await steps()
  pushing.stop()
  jest.advanceTimersByTime(600_000)
  await steps()
  expect(asked).toEqual([0, 1, 2])
  const headers = { authorization: 'Bearer shh', 'content-type': 'application/json' }
  expect(sent).toEqual(
    [newAgentSitesMax, newAgentSitesMax - 1].map((sites) => ({ headers, method: 'POST', sites })),
  )
})
