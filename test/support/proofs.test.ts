import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { coveredPaths } from './covered-paths'
import { chooseFiles, createCoverage, isNeverThere, type Proofs, provedBy } from './proofs'
import { testFiles } from './test-files'

const root = join(import.meta.dir, '../..')
const folder = mkdtempSync(join(tmpdir(), 'renown-proofs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

describe('the table of what long files cover', () => {
  test('names test files and paths that exist', () => {
    const files = testFiles(root)
    expect(Object.keys(coveredPaths).filter((file) => !files.includes(file))).toEqual([])
    expect(createCoverage(root).unmatched()).toEqual([])
  })
})

describe('a digest', () => {
  const covered = { 'test/long.test.ts': ['core/a', 'plugins/*/pages', 'docs/one.md'] }
  const digest = () => createCoverage(folder, covered).of('test/long.test.ts')
  const begin = () => {
    write('test/long.test.ts', "import './support/help'\n")
    write('test/support/help.ts', 'export {}\n')
    write('core/a/deep/x.ts', '1')
    write('core/b/y.ts', '1')
    write('plugins/p/pages/z.ts', '1')
    write('plugins/p/other.ts', '1')
    write('docs/one.md', '1')
    write('package.json', '{}')
  }

  test.each([
    ['test/long.test.ts', "import './support/help' // changed\n"],
    ['test/support/help.ts', 'export const changed = 1\n'],
    ['core/a/deep/x.ts', '2'],
    ['core/a/new.ts', ''],
    ['plugins/p/pages/z.ts', '2'],
    ['plugins/q/pages/z.ts', '1'],
    ['docs/one.md', '2'],
    ['package.json', '{ }'],
  ])('changes with %s', (path, text) => {
    begin()
    const before = digest()
    write(path, text)
    expect(digest()).not.toBe(before)
    rmSync(join(folder, path))
  })

  test.each(['core/b/y.ts', 'plugins/p/other.ts', 'core/a/node_modules/m/i.js'])(
    'does not change with %s',
    (path) => {
      begin()
      const before = digest()
      write(path, '2')
      expect(digest()).toBe(before)
    },
  )

  test('is null for a file that always runs', () => {
    expect(createCoverage(folder, covered).of('test/short.test.ts')).toBeNull()
  })
})

describe('a run leaves out', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const of = (file: string) => (names.includes(file) ? `now ${file}` : null)
  const proofs = Object.fromEntries(names.map((name) => [name, `now ${name}`]))
  const choose = (given: Record<string, string>, seed = 'x', secondsOf: (file: string) => number = () => 2) =>
    chooseFiles([...names, 'short'], { proofs: given, coverage: { of }, seed, secondsOf })

  test('what is proved, except for four that it draws', () => {
    const { run, proved } = choose(proofs)
    expect(proved).toHaveLength(3)
    expect(run).toHaveLength(5)
    expect(run).toContain('short')
    expect([...run, ...proved].sort()).toEqual([...names, 'short'].sort())
  })

  test('in the end each of them, by the commit', () => {
    const drawn = new Set(Array.from({ length: 60 }, (_, n) => choose(proofs, `${n}`).run).flat())
    expect([...drawn].sort()).toEqual([...names, 'short'].sort())
  })

  test('the longest most often, but not always', () => {
    const seconds = (file: string) => (file === 'a' ? 300 : 3)
    const draws = Array.from({ length: 1_000 }, (_, n) => choose(proofs, `${n}`, seconds).run)
    const times = (file: string) => draws.filter((run) => run.includes(file)).length
    expect(times('a')).toBeGreaterThan(0)
    expect(times('a')).toBeLessThan(60)
    for (const file of names.slice(1)) expect(times(file)).toBeGreaterThan(550)
  })

  test('nothing that changed, and nothing that never passed', () => {
    const { b: _, ...rest } = proofs
    const { run } = choose({ ...rest, a: 'before a' })
    expect(run).toContain('a')
    expect(run).toContain('b')
    expect(choose({}).proved).toEqual([])
  })
})

describe('a file is proved', () => {
  const counts = (pass: number, fail = 0, skip = 0) => ({ pass, fail, skip })
  const judged = (
    byFile: Record<string, ReturnType<typeof counts>>,
    {
      after = 'd',
      before = {},
      failed = [],
      skipped = [],
    }: {
      readonly after?: string
      readonly before?: Proofs
      readonly failed?: readonly { file: string; what: string }[]
      readonly skipped?: readonly string[]
    } = {},
  ) =>
    provedBy(
      before,
      [{ byFile, failed: [...failed], skipped: [...skipped] }],
      (test) => test.endsWith('(never)'),
      {
        before: new Map([['a', 'd']]),
        after: new Map([['a', after]]),
      },
    )

  test('if all of its tests passed', () => {
    expect(judged({ a: counts(3) })).toEqual({ a: 'd' })
  })

  test('not if a test failed or was left out, or if there was none', () => {
    expect(judged({ a: counts(3, 1) })).toEqual({})
    expect(judged({ a: counts(3, 0, 1) })).toEqual({})
    expect(judged({ a: counts(0) })).toEqual({})
    expect(judged({ a: counts(3) }, { failed: [{ file: 'a', what: 'an error between tests' }] })).toEqual({})
    expect(judged({})).toEqual({})
  })

  test('though a test was left out for something that no machine has, and for nothing else', () => {
    expect(judged({ a: counts(3, 0, 1) }, { skipped: ['a: x (never)'] })).toEqual({ a: 'd' })
    expect(judged({ a: counts(3, 0, 2) }, { skipped: ['a: x (never)', 'a: y'] })).toEqual({})
    const needs = {
      Django: { isInstallable: false },
      nginx: { isInstallable: true },
      MongoDB: { isInstallable: false },
    }
    const tests = ['x (needs Django)', 'x (needs nginx, Django)', 'x (needs nginx)', 'x (needs MongoDB)', 'x']
    expect(tests.map((test) => isNeverThere(test, needs))).toEqual([true, true, false, false, false])
  })

  test('not if what it covers changed during the run', () => {
    expect(judged({ a: counts(3) }, { after: 'other' })).toEqual({})
  })

  test('no longer if it fails', () => {
    expect(judged({ a: counts(2, 1) }, { before: { a: 'd', b: 'e' } })).toEqual({ b: 'e' })
    expect(judged({ a: counts(2, 0, 1) }, { before: { a: 'd' } })).toEqual({ a: 'd' })
  })
})
