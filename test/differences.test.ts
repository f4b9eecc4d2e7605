import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const folders = ['core', 'ingest', 'plugins', 'ship', 'examples', 'integrations', 'skills']

/**
 * Other ways to write the size of a difference with its sign. Whether chance makes it is known to
 * `core/web/kit/browser/difference.ts` alone, so a difference of two periods is put into words there.
 */
const ways: readonly (readonly [RegExp, string])[] = [
  [/['"`][+▲][^'"`\n]{0,40}['"`]\s*:\s*['"`][−▼-]/, 'a sign for more, otherwise one for less'],
  [/['"`][−▼-][^'"`\n]{0,40}['"`]\s*:\s*['"`][+▲]/, 'a sign for less, otherwise one for more'],
  [/`[+−▲▼] ?\$\{/, 'a sign before a number'],
  [/signDisplay/, 'a format of numbers with a sign'],
  [/\$\{[^}\n]{0,80}\} (?:points|percentage points)`/, 'a number of points'],
]

/** Files that may, and why no chance is in what they write. */
const allowed: Readonly<Record<string, string>> = {
  'core/web/kit/browser/difference.ts': 'the one place',
  'core/web/kit/browser/format.ts': 'formatChange: counts of all events, such as visits. Nothing was sampled',
  'plugins/leads/operations/listLeadsWithMentions.ts': 'the direction of a sort',
  'plugins/leads/pages/mention-line.tsx': 'a number of further copies',
  'plugins/visibility/pages/certainty-card.tsx': 'half the width of an interval, with ±',
  'plugins/visibility/tracking/TrackerPage.tsx': 'half the width of an interval, with ±',
  'plugins/visibility/tracking/forecast-card.tsx': 'half the width of an interval, with ±',
}

const waysIn = (text: string): string[] =>
  ways.flatMap(([pattern, what]) => (pattern.test(text) ? [what] : []))

async function found(): Promise<[file: string, ways: string[]][]> {
  const all: [string, string[]][] = []
  for (const folder of folders)
    for await (const path of new Bun.Glob('**/*.{ts,tsx}').scan({ cwd: join(root, folder) })) {
      if (path.includes('node_modules')) continue
      const file = `${folder}/${path}`
      const used = waysIn(await Bun.file(join(root, file)).text())
      if (used.length > 0) all.push([file, used])
    }
  return all
}

describe('a difference of two periods', () => {
  test('is put into words in one place', async () => {
    const others = (await found()).filter(([file]) => !(file in allowed))
    // Use `differenceWords` of renown/web, which leaves the size out where chance can make it.
    expect(others).toEqual([])
  })

  test('is written nowhere else without need', async () => {
    const files = new Set((await found()).map(([file]) => file))
    for (const file of Object.keys(allowed)) {
      const isThere = await Bun.file(join(root, file)).exists()
      expect({ file, isThere, isUsed: files.has(file) }).toEqual({ file, isThere: true, isUsed: true })
    }
  })

  test('is found however it is written', () => {
    for (const text of [
      "`${points > 0 ? '+' : '−'}${size} points`",
      "`${change > 0 ? '▲' : '▼'} ${shown}`",
      'change > 0 ? { text: `▲ ${shown}` } : { text: `▼ ${shown}` }',
      'count > 0 ? `+${count}` : `-${count}`',
      "new Intl.NumberFormat('en', { signDisplay: 'always' })",
      '`${points.toFixed(1)} points`',
    ])
      expect({ text, ways: waysIn(text).length > 0 }).toEqual({ text, ways: true })
    expect(waysIn("sort.startsWith('-') ? -1 : 1")).toEqual([])
  })
})
