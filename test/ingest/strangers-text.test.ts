import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from 'renown/contracts'
import { agents } from '../../ingest/data/agents'
import { assistants } from '../../ingest/data/assistants'
import { browser, gptBot, insideAddress, record, site, withIngest } from './support/ingest'
import { readJournal } from './support/journal'

/** No text of the product has this word. Case and encodings are told apart by the search, not by the word. */
const mark = 'zqxvstranger'

/** Everything in a folder as one text, byte by byte. */
function bytesOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

const agentNames = new Set(agents.map(({ name }) => name))
const assistantHosts = new Set(
  assistants.flatMap(({ hosts, parts = [] }) => [...hosts, ...parts.map((part) => part.split(/[/?]/)[0])]),
)

interface Outcome {
  readonly hits: Awaited<ReturnType<typeof readJournal>>['hits']
  readonly stored: string
  readonly logged: string
  readonly answers: string
}

/** Posts bodies to the ingest of a site that also counts search engines, and resolves with all that is left of them. */
async function leftOf(
  posts: readonly { path: string; body: string; headers?: Record<string, string> }[],
): Promise<Outcome> {
  const lines: unknown[] = []
  const write = (...told: unknown[]) => void lines.push(told)
  const log = { debug: write, info: write, warn: write, error: write } as unknown as Log
  let outcome: Outcome | null = null
  await withIngest(
    async ({ send, ingest, directory }) => {
      const answers: unknown[] = []
      for (const { path, body, headers } of posts) {
        const { status, body: answer } = await send(path, body, headers)
        answers.push([status, answer])
      }
      await ingest.flush()
      outcome = {
        hits: (await readJournal(directory)).hits,
        stored: bytesOf(directory),
        logged: JSON.stringify(lines),
        answers: JSON.stringify(answers),
      }
    },
    { log, sites: { sites: [{ ...site, count_search_engines: true }] } },
  )
  if (!outcome) throw new Error('the ingest was not started')
  return outcome
}

const logs = '/v1/logs'
const hits = '/v1/hits'
const json = (more: Record<string, unknown>) => JSON.stringify(record(more))
const combined = (ua: string, more: { user?: string; referrer?: string; query?: string } = {}) =>
  `${insideAddress} - ${more.user ?? '-'} [20/Nov/2026:12:00:00 +0000] "GET /pricing${more.query ?? ''} HTTP/1.1" 200 5 "${more.referrer ?? '-'}" "${ua}"\n`

test('an unknown user agent is counted nowhere and stored nowhere', async () => {
  const unknown = [
    mark,
    `${mark}/1.0 (+https://${mark}.example/bot)`,
    `Mozilla/5.0 (compatible; ${mark}Bot/2.1)`,
  ]
  const {
    hits: counted,
    stored,
    logged,
    answers,
  } = await leftOf(
    unknown.flatMap((ua) => [
      { path: hits, body: json({ ua }) },
      { path: logs, body: combined(ua) },
      { path: logs, body: json({ ua, agent: mark, category: mark, operator: mark }) },
    ]),
  )
  expect(counted).toEqual([])
  for (const text of [stored, logged, answers]) expect(text).not.toContain(mark)
})

test('of a known agent only its name in the registry is stored, whatever stands around it', async () => {
  const around = [
    `${gptBot} ${mark}`,
    `${mark} ${gptBot}`,
    `gptbot/${mark}`,
    `Mozilla/5.0 (${mark}; bingbot/2.0)`,
  ]
  const {
    hits: counted,
    stored,
    logged,
  } = await leftOf(
    around.flatMap((ua) => [
      { path: hits, body: json({ ua }) },
      { path: logs, body: combined(ua) },
    ]),
  )
  expect(counted).toHaveLength(around.length * 2)
  for (const { agent } of counted) expect(agentNames.has(agent)).toBe(true)
  for (const text of [stored, logged]) expect(text).not.toContain(mark)
})

test('of a counted line nothing is stored but its path: no query, referrer, user, host or id', async () => {
  const {
    hits: counted,
    stored,
    logged,
  } = await leftOf([
    {
      path: logs,
      body: combined(gptBot, { user: mark, referrer: `https://${mark}.example/`, query: `?${mark}=${mark}` }),
    },
    { path: hits, body: json({ id: mark, referer: `https://${mark}.example/`, method: mark, [mark]: mark }) },
    { path: hits, body: json({ path: `/pricing?q=${mark}#${mark}` }), headers: { 'idempotency-key': mark } },
    { path: logs, body: json({ cookie: mark, request_id: mark, headers: { cookie: mark } }) },
  ])
  expect(counted.length).toBeGreaterThanOrEqual(2)
  expect(new Set(counted.map(({ path }) => path))).toEqual(new Set(['/pricing']))
  for (const text of [stored, logged]) {
    expect(text).not.toContain(mark)
    expect(text).not.toContain(insideAddress)
  }
})

test('of a visit only the host of the registry is stored, never its referrer, source, query or user agent', async () => {
  const headers = { origin: 'https://example.com', authorization: '', 'user-agent': `${browser} ${mark}` }
  const visits = [
    `,https://${mark}.chatgpt.com/,/pricing?${mark}#${mark}`,
    JSON.stringify({ p: `/pricing?${mark}`, r: `https://chatgpt.com/c/${mark}?q=${mark}` }),
    JSON.stringify({ p: '/pricing', r: `https://user:${mark}@www.perplexity.ai/${mark}` }),
    JSON.stringify({ p: '/pricing', u: 'chatgpt.com', [mark]: mark }),
  ]
  const dropped = [
    `,https://${mark}.example/,/pricing`,
    `,//${mark}/,/pricing`,
    JSON.stringify({ p: '/pricing', u: mark }),
    `nonce-1,https://${mark}.chatgpt.com/,/pricing?${mark}`,
    JSON.stringify({ p: '/pricing', r: `android-app://${mark}/` }),
  ]
  const {
    hits: counted,
    stored,
    logged,
  } = await leftOf([...visits, ...dropped].map((body) => ({ path: '/s/key1', body, headers })))
  expect(counted).toHaveLength(visits.length)
  for (const { agent, path } of counted) {
    expect(assistantHosts.has(agent)).toBe(true)
    expect(path).toBe('/pricing')
  }
  for (const text of [stored, logged]) expect(text).not.toContain(mark)
})
