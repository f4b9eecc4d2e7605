import { afterAll, beforeAll, expect, test } from 'bun:test'
import { builtin } from '../../../../plugins'
import { VisibilityRun } from '../../../../plugins/visibility/records/VisibilityRun'
import { type Gate, startGate } from '../../../support/harness'
import { signedIn } from '../../../support/signed-in'

let gate: Gate
let cookie = ''
let today = ''
let foreign = ''
const access = { provider: 'direct', access: 'api', status: 'ok' } as const
/** A run of a tracker and a prompt that were removed. */
const run = {
  tracker_id: 'vtr_1',
  prompt_id: 'vpr_1',
  location_id: 'loc_1',
  engine: 'chatgpt',
  country: 'GB',
  ...access,
  batch_id: 'b',
  definition_version: 'visibility@2',
  brand_mentioned: false,
  brand_cited: false,
  competitor_mentions: [],
  search_queries: [],
  citations: [],
  answer_text: 'Beta.',
}

beforeAll(async () => {
  gate = await startGate({ plugins: builtin })
  cookie = (await signedIn(gate)).cookie
  const now = gate.owner.now()
  today = now.toISOString().slice(0, 10)
  const at = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()
  // 25 answers, of which the 19th to the 22nd were asked in the same millisecond, and a failed run.
  for (let place = 0; place < 25; place++)
    await gate.put(VisibilityRun, { ...run, started_at: at(place >= 18 && place < 22 ? 40 : 20 + place) })
  await gate.put(VisibilityRun, { ...run, status: 'error', error: 'busy', started_at: at(1) })
  const other = { ...run, tracker_id: 'vtr_2', started_at: at(1) }
  foreign = (await gate.put(VisibilityRun, other, gate.stranger.workspaceId)).tracker_id
})
afterAll(() => gate.stop())

const open = async (query: Record<string, string>) => {
  const path = `/app/visibility/answers?${new URLSearchParams(query)}`
  return (await gate.ask(path, { key: null, headers: { cookie } })).text()
}

test.each([
  ['from', () => ({ from: today, to: '2026-01-01' })],
  ['to', () => ({ to: '9999-12-31' })],
  ['country', () => ({ country: 'ZZ' })],
  ['engine', () => ({ engine: 'nobody' })],
  ['tracker', () => ({ tracker: 'vtr_nobody' })],
  ['tracker', () => ({ tracker: foreign })],
  ['prompt', () => ({ prompt: 'vpr_nobody' })],
] as const)(
  'a filter %s that nothing can fit is named, and does not look like no answers',
  async (name, query) => {
    const page = await open(query())
    expect(page).toContain('Some filters were ignored')
    expect(page).toContain(`<code>${name}</code>`)
  },
)

test('answers of a removed tracker and prompt are listed, and failed runs are told apart', async () => {
  const page = await open({ tracker: 'vtr_1', prompt: 'vpr_1', engine: 'chatgpt' })
  expect(page).not.toContain('Some filters were ignored')
  expect(page).toContain('26 runs')
  expect(page).toContain('25 of them have an answer that is judged.')
})

test('the pages of the list have every run once, also those of the same millisecond', async () => {
  const seen: string[] = []
  let next: string | undefined = ''
  for (let pages = 0; next !== undefined && pages < 5; pages++) {
    const page: string = await open(next === '' ? {} : { after: next })
    seen.push(...[...page.matchAll(/answers\/one\?run=(\w+)/g)].map(([, id = '']) => id))
    const link = /href="[^"]*after=([^"&]+)/.exec(page)?.[1]
    next = link === undefined ? undefined : decodeURIComponent(link)
  }
  expect([seen.length, new Set(seen).size]).toEqual([26, 26])
})
