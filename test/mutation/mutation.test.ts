import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { readAccepted, staleEntries, withoutAccepted } from './accepted'
import { areas, filesOf } from './areas'
import { applied, drawn } from './mutant'
import { mutantsOf } from './operators'
import { importersIn, testsReaching } from './reach'
import { goal, isPossible, runArea } from './run-area'

const root = join(import.meta.dir, '..', '..')
const changes = (text: string) => mutantsOf('a.ts', text).map((mutant) => applied(text, mutant))

describe('mutants', () => {
  test('change comparisons, conditions, numbers, words, statements, waiting and calls', () => {
    expect(changes('x = a > 3')).toEqual(
      expect.arrayContaining([
        'x = a >= 3',
        'x = a <= 3',
        'x = a > 4',
        'x = a > 2',
        'x = a > 30',
        'x = a > 0',
        ';',
      ]),
    )
    expect(changes('const x = a && b')).toEqual(['const x = (a)', 'const x = (b)', 'const x = a || b'])
    expect(changes('if (a) b()')).toEqual(['if (true) b()', 'if (false) b()', 'if (a) ;'])
    expect(changes("const x = ['draft', 'sent']")).toEqual([
      "const x = ['draft~', 'sent']",
      "const x = ['sent']",
      "const x = ['draft']",
      "const x = ['draft', 'sent~']",
    ])
    expect(changes('const x = await f(y.filter(g))')).toContain('const x = f(y.filter(g))')
    expect(changes('const x = await f(y.filter(g))')).toContain('const x = await f(y)')
    expect(changes('const x = y.slice(0, end)')).toEqual(
      expect.arrayContaining(['const x = y', 'const x = y.slice(1, end)', 'const x = y.slice(0, (end) + 1)']),
    )
    expect(changes('const x = /^[a-z]{1,8}$/i')).toEqual(
      expect.arrayContaining([
        'const x = /[a-z]{1,8}$/i',
        'const x = /^[a-z]{1,9}$/i',
        'const x = /^[a-z]{1,8}$/',
      ]),
    )
    expect(changes('const x = y.toString() + y.constructor')).toEqual([
      'const x = y.toString() - y.constructor',
    ])
  })

  test('change what a comparator answers to 0 alone, because a sort looks only at the sign', () => {
    const signs = changes('x.sort((a, b) => (a < b ? -1 : 1))').filter((text) =>
      /\? -?\d+ : -?\d+/.test(text),
    )
    expect(signs).toContain('x.sort((a, b) => (a < b ? -0 : 1))')
    expect(signs).toContain('x.sort((a, b) => (a < b ? -1 : 0))')
    expect(signs.filter((text) => /2|10/.test(text))).toEqual([])
    expect(changes('const x = a < b ? -1 : 1')).toContain('const x = a < b ? -1 : 2')
    const named = 'const by = (a, b) => (a < b ? -1 : 1)'
    expect(changes(`${named}\nx.sort(by)`).filter((text) => / : (2|10)\)/.test(text))).toEqual([])
    expect(changes(named).filter((text) => / : (2|10)\)/.test(text))).toHaveLength(2)
  })

  test('change a duration far, because a millisecond more or less changes no rule', () => {
    expect(changes('const waitMs = 2_500')).toEqual([
      'const waitMs = 250',
      'const waitMs = 25000',
      'const waitMs = 0',
    ])
    expect(changes('const waits = 2_500')).toContain('const waits = 2501')
    expect(changes('f({ turnMs: 5 })')).toContain('f({ turnMs: 6 })')
  })

  test('leave types, imports and texts for people alone', () => {
    expect(changes("import a from 'a'\ntype B = 'x' | 3\nconst c = f({ description: 'One.' })")).toEqual([])
  })

  test('are drawn by seed, each by a rank of its own', () => {
    const mutants = mutantsOf('a.ts', 'const x = a > 3\nconst y = b < 4\nconst z = c + 5')
    const few = drawn(mutants, 4, 7)
    expect(drawn(mutants, 4, 7)).toEqual(few)
    expect(drawn(mutants, 4, 8)).not.toEqual(few)
    const without = mutants.filter((mutant) => mutant !== few[0])
    expect(drawn(without, 3, 7)).toEqual(few.slice(1))
  })

  test('of a worker are tried by the tests of what starts it', () => {
    const importers = importersIn(root)
    expect(importers.get('ingest/flush/flusher-worker.ts')).toContain('ingest/flush/flusher.ts')
    expect(testsReaching('ingest/flush/flush-loop.ts', importers, 9)).toContain(
      'test/ingest/flush/flusher.test.ts',
    )
  })

  test('of a declaration are tried by the golden surface, however far that is', () => {
    const golden = 'test/surface.test.ts'
    const importers = new Map([
      ['core/a/b/c.ts', new Set(['core/z.ts', 'test/core/a/b/c.test.ts', 'test/core/x/far.test.ts'])],
      ['core/z.ts', new Set([golden])],
    ])
    expect(testsReaching('core/a/b/c.ts', importers, 1)).toEqual(['test/core/a/b/c.test.ts', golden])
  })

  test('are tried by the nearest tests first', () => {
    const importers = new Map([
      ['core/a/b.ts', new Set(['core/a/c.ts', 'test/core/x.test.ts', 'test/core/a/b.test.ts'])],
      ['core/a/c.ts', new Set(['test/core/a/c.test.ts', 'test/journeys/j.test.ts', 'test/e2e/p.test.ts'])],
    ])
    const nearest = [
      'test/core/a/b.test.ts',
      'test/core/a/c.test.ts',
      'test/core/x.test.ts',
      'test/journeys/j.test.ts',
    ]
    expect(testsReaching('core/a/b.ts', importers, 9)).toEqual(nearest)
    expect(testsReaching('core/a/b.ts', importers, 1)).toEqual(nearest.slice(0, 1))
  })
})

test('a sample is too bad where it shows that the share of all is too small', () => {
  const verdicts = [
    isPossible({}, 20, 20),
    isPossible({}, 18, 20),
    isPossible({}, 17, 20),
    isPossible({}, 92, 100),
    isPossible({}, 90, 100),
  ]
  expect(verdicts).toEqual([true, true, false, true, false])
  expect([isPossible({ floor: 0.8 }, 13, 20), isPossible({ floor: 0.8 }, 11, 20)]).toEqual([true, false])
  expect(isPossible({}, 0, 0)).toBe(true)
})

describe('the list of accepted survivors', () => {
  test('names mutants that exist, each with its reason', () => {
    const accepted = readAccepted()
    expect(staleEntries(accepted, root)).toEqual([])
    expect(accepted.filter(({ reason }) => reason.length < 20)).toEqual([])
  })

  test('refuses an entry whose code is gone, and leaves its mutants out', () => {
    const [mutant] = mutantsOf('core/query/cursor.ts', 'const x = a > 3')
    if (!mutant) throw new Error('no mutant')
    expect(staleEntries([{ ...mutant, reason: 'The code is gone.' }], root)).toHaveLength(1)
    expect(withoutAccepted([mutant], [{ ...mutant, reason: 'Equal.' }])).toEqual([])
  })

  test('every area has files, and each of its globs matches one', () => {
    for (const area of areas) {
      expect(filesOf(area, root).length).toBeGreaterThan(5)
      for (const glob of [...area.include, ...(area.exclude ?? [])])
        expect([glob, [...new Bun.Glob(glob).scanSync({ cwd: root })].length > 0]).toEqual([glob, true])
    }
  })
})

if (process.env.RENOWN_LONG === '1') {
  const sample = Number(process.env.RENOWN_MUTANTS ?? 20)
  // The areas share nine tenths of the time of the file. What is known of earlier runs takes none.
  const partMs = Number(process.env.RENOWN_LONG_PART_SECONDS ?? 1_200) * 900
  const end = performance.now() + partMs
  for (const [index, area] of areas.entries())
    test(`tests notice ${(area.floor ?? goal) * 100} % of the changes in ${area.name}`, async () => {
      const lines: string[] = []
      const say = (line: string) => void lines.push(line)
      const left = end - performance.now()
      const until = performance.now() + left / (areas.length - index)
      const asked = { root, sample, seed: 1, mostTests: 16, budget: 60_000, isFresh: false, say, until }
      const { isGood, sampled } = await runArea(area, asked)
      console.log(lines.filter((line) => !line.startsWith('[')).join('\n'))
      if (!isGood) throw new Error(lines.join('\n'))
      expect(sampled).toBeGreaterThan(0)
    })
}
