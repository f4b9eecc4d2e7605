import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createDemo } from '../../core/demo/create'
import { withCore } from '../../core/product/core-plugins'
import { builtin } from '../../plugins'
import { freshColumns } from '../support/chdb'
import { edgeCases } from '../support/edge-cases'
import { type Gate, startGate } from '../support/harness'
import { signedIn } from '../support/signed-in'

/** Every page over a demo whose texts break careless code: what strangers wrote is shown as text. */
const plugins = withCore(builtin)
let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
let cookie = ''
beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins, columns })
  const { world } = await createDemo(gate.owner, plugins, { seed: 'edges', today: '2026-11-20', edgeCases })
  const signed = await signedIn(gate, { agencyId: world.agency_id })
  cookie = signed.cookie
}, 120_000)
afterAll(async () => {
  await gate?.stop()
  await columns?.close()
})

const read = async (path: string) => {
  const answer = await gate.ask(path, { key: null, headers: { cookie } })
  return { status: answer.status, text: await answer.text() }
}

test('no page prints a text of a stranger as HTML, and the pages of reviews and traffic print some as text', async () => {
  const paths = gate.gateway.pages
    .filter(
      ({ method, path, auth }) => method === 'GET' && auth !== 'none' && !path.startsWith('/app/events/'),
    )
    .map(({ path }) => path)
  expect(paths.length).toBeGreaterThan(30)
  const seen = new Map<string, string>()
  for (const path of paths) {
    const { status, text } = await read(path)
    expect([path, status < 500]).toEqual([path, true])
    seen.set(path, text)
  }
  seen.set('worst', (await read('/app/reviews?state=flagged&all=1')).text)
  seen.set('news', (await read('/app/notifications?status=all')).text)
  const raw = ['<script>alert(', '<img src=x', '"><img']
  const loud = [...seen].flatMap(([path, text]) =>
    /\/data\//.test(path) ? [] : raw.filter((mark) => text.includes(mark)).map((mark) => `${path} ${mark}`),
  )
  expect(loud).toEqual([])
  const shown = (path: string, mark: string) => [path, seen.get(path)?.includes(mark)]
  expect(shown('worst', '&lt;script>alert(')).toEqual(['worst', true])
  expect(shown('/app/traffic', 'alert(')).toEqual(['/app/traffic', true])
  expect(shown('news', '&lt;script>alert(')).toEqual(['news', true])
}, 120_000)

test('the pages of a crawler and of the access of crawlers show robots.txt, errors and pages', async () => {
  const access = await read('/app/traffic/access')
  expect(access.status).toBe(200)
  for (const word of ['Disallowed, and fetched anyway', 'Disallow: /', '/old-menu', 'Bytespider', '/jobs'])
    expect([word, access.text.includes(word)]).toEqual([word, true])
  const crawler = await read('/app/traffic/crawler?agent=Bytespider')
  for (const word of ['ByteDance', 'Disallowed, and fetched', 'First counted', 'Hits by day'])
    expect([word, crawler.text.includes(word)]).toEqual([word, true])
  const table = await read('/app/data/traffic/crawler.csv?agent=GPTBot')
  expect(table.text.split('\n').length).toBeGreaterThan(80)
  expect((await read('/app/data/traffic/access.csv')).text).toContain('never crawled')
  const unknown = await gate.ask('/app/traffic/crawler?agent=Nobody', { key: null, headers: { cookie } })
  expect(unknown.status).toBeGreaterThanOrEqual(300)
}, 60_000)
