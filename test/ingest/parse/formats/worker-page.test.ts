import { describe, expect, test } from 'bun:test'
import { agents } from '../../../../ingest/data/agents'
import { codeOf } from '../../../support/set-up-pages'
import { browser, gptBot, insideAddress, token, withIngest } from '../../support/ingest'
import { readJournal } from '../../support/journal'

interface Worker {
  fetch(
    request: Request,
    env: { RENOWN_TOKEN: string },
    context: { waitUntil(work: Promise<unknown>): void },
  ): Promise<Response>
}

/** Lets the Worker of the set-up page answer a visit; resolves with what it reported. */
async function visit(ua: string | null, answer: (report: Request) => unknown = () => new Response('{}')) {
  const reports: Request[] = []
  const fetcher = async (to: Request | string, init?: RequestInit) => {
    if (typeof to !== 'string') return new Response('the page', { status: 404 })
    const report = new Request(to, init)
    reports.push(report.clone() as Request)
    return answer(report)
  }
  const code = await codeOf('senders/cloudflare-worker', 'js', {})
  const worker: Worker = new Function('fetch', code.replace('export default', 'return'))(fetcher)
  const headers = new Headers({ 'cf-connecting-ip': insideAddress, 'cf-ray': 'ray-1' })
  if (ua !== null) headers.set('user-agent', ua)
  const waiting: Promise<unknown>[] = []
  const response = await worker.fetch(
    new Request('https://example.com/pricing?x=1', { headers }),
    { RENOWN_TOKEN: token },
    { waitUntil: (work) => void waiting.push(work) },
  )
  await Promise.all(waiting)
  return { response, reports }
}

describe('the Worker of the set-up page', () => {
  test('reports a crawler’s request, which is counted once, and answers it as it would have been', () =>
    withIngest(async ({ ingest, directory, clock }) => {
      const now = new Date()
      clock.now = now.getTime()
      const count = (report: Request) =>
        ingest.fetch(
          new Request(report.url.replace('https://ingest.example.com', 'http://localhost'), report),
          () => null,
        )
      for (let n = 0; n < 2; n++) {
        const { response, reports } = await visit(gptBot, count)
        expect([response.status, await response.text()]).toEqual([404, 'the page'])
        expect(reports.map(({ url }) => url)).toEqual(['https://ingest.example.com/v1/hits'])
      }
      await ingest.flush()
      expect((await readJournal(directory)).hits).toMatchObject([
        { agent: 'GPTBot', path: '/pricing', verdict: 'verified' },
      ])
    }))

  test('lets the visit pass when the ingest cannot be reached', async () => {
    const { response } = await visit(gptBot, () => Promise.reject(new Error('no network')))
    expect(response.status).toBe(404)
  })

  test('reports every agent of the registry, and no browser', async () => {
    const silent: string[] = []
    for (const { name, aliases } of agents.filter(
      ({ class: kind }) => kind !== 'robots_only' && kind !== 'namesake',
    ))
      for (const ua of [name, ...aliases]) if ((await visit(ua)).reports.length === 0) silent.push(ua)
    expect(silent).toEqual([])
    for (const ua of [
      browser,
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0 Mobile/15E148 Safari/604.1',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
      '',
      null,
    ])
      expect((await visit(ua)).reports).toEqual([])
  })
})
