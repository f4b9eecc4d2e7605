import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { withCore } from '../../../core/product/core-plugins'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../plugins'
import { Review } from '../../../plugins/reviews/records/Review'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'
import { callTool, revisions } from '../../support/mcp'

let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
let locationId: string
let seen: ReadonlyMap<string, string>
const gone: string[] = []

beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins: withCore(builtin), columns })
  const profile = { business_name: 'Acme', is_active: true, is_prospect: false, auto_response_enabled: false }
  locationId = (await gate.put(BusinessLocation, profile)).id
  for (let n = 0; n < 6; n++) await review(n, {})
  seen = await everyAnswer()
  for (let n = 6; n < 12; n++) {
    gone.push(await review(n, { removed_at_source_at: gate.clock.now().toISOString() }))
  }
})
afterAll(async () => {
  await gate?.stop()
  await columns?.close()
})

async function review(n: number, more: object): Promise<string> {
  const written = new Date(gate.clock.now().getTime() - n * 3_600_000).toISOString()
  const said = { star_rating: (n % 5) + 1, review_text: `words ${n}`, review_created_at: written }
  const judged = {
    sentiment: 'negative',
    key_topics: ['staff'] as string[],
    needs_response: true,
    priority: 'high',
  } as const
  const from = { location_id: locationId, source: n % 2 ? 'google' : 'facebook', source_id: `s${n}` } as const
  return (await gate.put(Review, { ...from, ...said, ...judged, ...more })).id
}

const filters = [
  {},
  { removed_at_source_at: { $ne: null } },
  { removed_at_source_at: { $exists: true } },
  { $or: [{ removed_at_source_at: { $gt: '2000-01-01T00:00:00.000Z' } }, { star_rating: { $gte: 1 } }] },
  { $nor: [{ removed_at_source_at: null }] },
  { needs_response: true },
  { review_text: { $contains: 'words' } },
]

const timeless = (text: string) => text.replaceAll(/"(?:checked|counted)_at":"[^"]*"/g, '')

/** Every list, count and operation that can be asked without knowing an id but the location's. */
async function everyAnswer(): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>()
  for (const q of filters) {
    const words = JSON.stringify(q)
    const list = await gate.ask(`/api/entities/Review?count=1&q=${encodeURIComponent(words)}`)
    const ids = ((await list.json()) as { id: string }[]).map(({ id }) => id)
    answers.set(`list ${words}`, JSON.stringify([ids, list.headers.get('x-total-count')]))
    const counted = await (await gate.call('countRecords', { entity: 'Review', q })).json()
    answers.set(`countRecords ${words}`, String((counted as { count: number }).count))
    for (const revision of revisions) {
      const { structuredContent } = await callTool(gate, revision, 'list_records', {
        entity: 'Review',
        q,
        count: true,
      })
      answers.set(`MCP ${revision} ${words}`, JSON.stringify(structuredContent))
    }
  }
  // What explains a platform's count says how many reviews were removed: that is what it is for.
  const reads = [...gate.registry.operations.values()].filter(
    (one) => one.class === 'read' && one.name !== 'explainReviewCount',
  )
  for (const { name } of reads) {
    for (const input of [{}, { location_id: locationId }, { business_location_id: locationId }]) {
      const answer = await gate.call(name, input)
      if (answer.status === 200)
        answers.set(`${name} ${JSON.stringify(input)}`, timeless(await answer.text()))
    }
  }
  return answers
}

describe('Reviews that were removed at their source', () => {
  test('change no list, no count and no answer of any operation, whatever q says', async () => {
    const now = await everyAnswer()
    expect([...now.keys()]).toEqual([...seen.keys()])
    for (const [asked, answer] of now) expect([asked, answer]).toEqual([asked, seen.get(asked) ?? ''])
    const asked = [...seen.keys()].map((key) => key.split(' ')[0])
    expect(asked).toEqual(
      expect.arrayContaining([
        'getReviewAnalytics',
        'getReputationSummary',
        'listReviewsNeedingResponse',
        'countRecords',
        'list',
        'MCP',
        'getActiveSyncs',
      ]),
    )
  })

  test('are shown by the read by id alone', async () => {
    const shown = await gate.ask(`/api/entities/Review/${gone[0]}`)
    expect(shown.status).toBe(200)
    expect(typeof ((await shown.json()) as { removed_at_source_at: unknown }).removed_at_source_at).toBe(
      'string',
    )
  })
})
