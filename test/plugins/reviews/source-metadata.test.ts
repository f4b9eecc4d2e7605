import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'

const root = join(import.meta.dir, '../../..')
/** Adapters may read their platform's extras, the declaration names the field, and the demo makes some up. */
const mayRead =
  /^plugins\/(?:(?:google|facebook|places|dataforseo)\/.*|reviews\/(?:sources\/verdict|records\/Review|demo\/demo))\.ts$/

const sources = new Map<string, string>()
for (const folder of ['core', 'ingest', 'plugins', 'examples']) {
  for (const path of new Bun.Glob('**/*.{ts,tsx}').scanSync({ cwd: join(root, folder) })) {
    if (!path.includes('node_modules'))
      sources.set(`${folder}/${path}`, await Bun.file(join(root, folder, path)).text())
  }
}
const generic = [...sources].filter(([path]) => !mayRead.test(path))

/** A key taken out of it, whatever the variable that holds it: by a dot, by brackets, or by a pattern. */
const reads = /source_metadata(?:\s*(?:\?\.|\.(?!\.)|\[)|\s*:\s*\{(?!\s*\.\.\.))/

describe('source_metadata', () => {
  test('is never read by generic code: it is passed through whole', () => {
    expect(generic.filter(([, text]) => reads.test(text)).map(([path]) => path)).toEqual([])
  })

  test('nothing in generic code knows the name of any of its keys', () => {
    const keys = ['recommendation_type', 'reply_comment_id', 'reply_state', 'removal_evidence']
    for (const key of keys) {
      expect([key, [...sources.values()].some((text) => text.includes(key))]).toEqual([key, true])
      expect([key, generic.filter(([, text]) => text.includes(key)).map(([path]) => path)]).toEqual([key, []])
    }
  })

  test.each([
    'row.source_metadata?.recommendation_type',
    'row.source_metadata.url',
    "row.source_metadata['url']",
    'const { source_metadata: { url } } = row',
  ])('a reader such as %j would be found', (text) => {
    expect(reads.test(text)).toBe(true)
  })

  test.each([
    '{ ...review.source_metadata, ...sent.metadata }',
    'source_metadata: { ...metadata }',
    'isTurned(row.source_metadata, review)',
  ])('passing it on such as %j is none', (text) => {
    expect(reads.test(text)).toBe(false)
  })
})
