import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { browser, gptBot, insideAddress, token, withIngest } from '../ingest/support/ingest'
import { readJournal } from '../ingest/support/journal'

type Fetch = (to: Request | string, init?: RequestInit) => Promise<Response>
interface Runtime {
  readonly fetch: Fetch
  readonly setTimeout: (work: () => void, ms: number) => void
  /** Everything that was handed to `waitUntil`. */
  readonly waiting: Promise<unknown>[]
}
type Visit = (request: Request, runtime: Runtime) => Promise<Response | undefined>

/** Runs the code of a file with the globals of a platform. */
function evaluate(file: string, globals: Readonly<Record<string, unknown>>): unknown {
  const code = readFileSync(join(import.meta.dir, '../../integrations/edge', file), 'utf8')
    .replace('export default', 'return')
    .replace('export const config', 'const config')
  const body = code.includes('const config =') ? withConfigFirst(code) : code
  return new Function(...Object.keys(globals), body)(...Object.values(globals))
}

/** `return` ends a function, so what follows it must come before. */
const withConfigFirst = (code: string) => {
  const at = code.indexOf('const config =')
  return `${code.slice(at)}\n${code.slice(0, at)}`
}

const page = () => new Response('the page', { status: 404 })

/** Small stand-ins of the platforms: each lets the file answer one visit. */
const platforms: Readonly<Record<string, Visit>> = {
  'cloudflare-worker.js': (request, { fetch: report, setTimeout, waiting }) => {
    const fetch: Fetch = async (to, init) => (typeof to === 'string' ? report(to, init) : page())
    const worker = evaluate('cloudflare-worker.js', { fetch, setTimeout }) as {
      fetch(request: Request, env: object, context: object): Promise<Response>
    }
    return worker.fetch(
      request,
      { RENOWN_FORWARDER_TOKEN: token },
      { waitUntil: (work: Promise<unknown>) => waiting.push(work), passThroughOnException() {} },
    )
  },
  'netlify.js': async (request, { fetch, setTimeout, waiting }) => {
    const Netlify = {
      env: { get: (name: string) => (name === 'RENOWN_FORWARDER_TOKEN' ? token : undefined) },
    }
    const visit = evaluate('netlify.js', { fetch, setTimeout, Netlify }) as (
      request: Request,
      context: object,
    ) => Promise<Response | undefined>
    const context = {
      ip: request.headers.get('cf-connecting-ip'),
      requestId: request.headers.get('cf-ray'),
      next: async () => page(),
      waitUntil: (work: Promise<unknown>) => waiting.push(work),
    }
    return (await visit(request, context)) ?? page()
  },
  'middleware.js': async (request, { fetch, setTimeout, waiting }) => {
    const process = { env: { VERCEL: '1', RENOWN_FORWARDER_TOKEN: token } }
    const visit = evaluate('middleware.js', { fetch, setTimeout, process }) as (
      request: Request,
      context: object,
    ) => undefined
    visit(request, { waitUntil: (work: Promise<unknown>) => waiting.push(work) })
    return page()
  },
}

/** Lets a file answer a visit. The ingest answers each report, and waits take no time. */
async function visit(
  answerVisit: Visit,
  answer: (report: Request) => unknown,
  { ua = gptBot, method = 'GET', ray = 'ray-1' }: { ua?: string; method?: string; ray?: string } = {},
) {
  const reports: Request[] = []
  const waits: number[] = []
  const waiting: Promise<unknown>[] = []
  const headers = { 'user-agent': ua, host: 'example.com', 'cf-connecting-ip': insideAddress, 'cf-ray': ray }
  const request = new Request('https://example.com/pricing?x=1', {
    method,
    headers: { ...headers, 'x-real-ip': insideAddress, referer: 'https://chatgpt.com/' },
  })
  const response = await answerVisit(request, {
    waiting,
    async fetch(to, init) {
      const report = typeof to === 'string' ? new Request(to, init) : to
      reports.push(report.clone() as Request)
      return (await answer(report)) as Response
    },
    setTimeout(work, ms) {
      waits.push(ms)
      queueMicrotask(work)
    },
  })
  await Promise.all(waiting)
  return { answer: [response?.status, await response?.text()], reports, waits }
}

const accepted = () => new Response('{}')

describe.each(Object.entries(platforms))('%s in a stand-in of its platform', (file, answerVisit) => {
  test('reports a visit of an agent, which is counted once, and leaves the answer as it is', () =>
    withIngest(async ({ ingest, directory, clock }) => {
      clock.now = Date.now()
      const count = (report: Request) =>
        ingest.fetch(
          new Request(report.url.replace('https://ingest.example.com', 'http://localhost'), report),
          () => null,
        )
      let tries = 0
      // The first answer is lost on its way.
      const lossy = async (report: Request) => {
        const answer = await count(report)
        return tries++ === 0 ? new Response(null, { status: 502 }) : answer
      }
      const { answer, reports } = await visit(answerVisit, lossy)
      expect(answer).toEqual([404, 'the page'])
      expect(reports.map(({ url }) => url)).toEqual(Array(2).fill('https://ingest.example.com/v1/hits'))
      await ingest.flush()
      expect((await readJournal(directory)).hits).toMatchObject([
        { agent: 'GPTBot', path: '/pricing', verdict: 'verified' },
      ])
      const sent = (await reports[0]?.json()) as Record<string, unknown>
      expect(sent).toMatchObject({ url: '/pricing?x=1', referer: 'https://chatgpt.com/' })
      if (file !== 'middleware.js') expect([sent.id, sent.status]).toEqual(['ray-1', 404])
    }))

  test('reports no browser, no other method and no visit without a user agent', async () => {
    for (const more of [{ ua: browser }, { ua: '' }, { method: 'POST' }])
      expect((await visit(answerVisit, accepted, more)).reports).toEqual([])
  })

  test('tries three times if the ingest is down, waits as it says, and gives up without an error', async () => {
    const down = await visit(answerVisit, () => Promise.reject(new Error('no network')))
    expect([down.answer, down.waits]).toEqual([
      [404, 'the page'],
      [1_000, 4_000],
    ])
    const busy = new Response(null, { status: 503, headers: { 'retry-after': '7' } })
    expect((await visit(answerVisit, () => busy)).waits).toEqual([7_000, 7_000])
    const away = new Response(null, { status: 503, headers: { 'retry-after': '60' } })
    expect((await visit(answerVisit, () => away)).waits).toEqual([])
    const refused = await visit(answerVisit, () => new Response(null, { status: 401 }))
    expect([refused.answer, refused.reports.length]).toEqual([[404, 'the page'], 1])
  })
})

test('the files have the same report', () => {
  const shared = Object.keys(platforms).map((file) => {
    const text = readFileSync(join(import.meta.dir, '../../integrations/edge', file), 'utf8')
    return text.slice(
      text.indexOf('const ingest'),
      text.indexOf('\n}\n', text.indexOf('async function report')),
    )
  })
  expect(shared[0]?.length).toBeGreaterThan(1_000)
  expect(new Set(shared).size).toBe(1)
})
