import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testWith } from '../support/needs'
import { isAlive } from '../support/product'
import { waitFor } from '../support/wait-for'
import { hashOf, ranges, reaches } from './coverage'
import { patience, runTestFile } from './test-run'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'renown-test-run-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const limits = { cpu: 60_000, memory: 2_000_000_000 }

/** Writes a test file into a copy of its own. */
function copyWith(name: string, body: string): string {
  const copy = join(folder, name)
  mkdirSync(copy)
  writeFileSync(
    join(copy, 'a.test.ts'),
    `import { test } from 'bun:test'\ntest('a', async () => { ${body} }, 600_000)\n`,
  )
  return copy
}

// The child works in a group of its own, as a product that a test starts does.
const childThat = (work: string) =>
  `Bun.spawn([process.execPath, '-e', ${JSON.stringify(work)}], { detached: true, stdio: ['ignore', 'ignore', 'ignore'] })`

test('a run that uses too much memory or CPU time is hung, also when its children do', async () => {
  const wait = 'await new Promise(() => setInterval(() => {}, 1_000))'
  const fill = 'const filled = []; setInterval(() => filled.push(new Uint8Array(5_000_000).fill(1)), 5)'
  const filled = await runTestFile(copyWith('memory', `${childThat(fill)}; ${wait}`), 'a.test.ts', {
    ...limits,
    memory: 300_000_000,
  })
  expect(filled.outcome).toBe('hung')
  expect(filled.memory).toBeGreaterThan(300_000_000)
  const burnt = copyWith('cpu', `${childThat('for (;;);')}; ${wait}`)
  expect((await runTestFile(burnt, 'a.test.ts', { ...limits, cpu: 500 })).outcome).toBe('hung')
}, 60_000)

// Mutants run in the long run alone, so their guard is proved there.
testWith('a long run')(
  'whatever runs in a copy ends, and the copy goes, when its run is killed',
  async () => {
    const pids = join(folder, 'pids')
    const copy = copyWith(
      'killed',
      `const child = ${childThat('setInterval(() => {}, 1_000)')}
     require('node:fs').writeFileSync(${JSON.stringify(pids)}, JSON.stringify([process.pid, child.pid]))
     await new Promise(() => setInterval(() => {}, 1_000))`,
    )
    const runner = join(folder, 'runner.ts')
    writeFileSync(
      runner,
      `import { startGuard } from '${join(import.meta.dir, 'checkout-copy.ts')}'
import { runTestFile } from '${join(import.meta.dir, 'test-run.ts')}'
startGuard('${copy}')
await runTestFile('${copy}', 'a.test.ts', ${JSON.stringify(limits)})
`,
    )
    const child = Bun.spawn([process.execPath, runner], { stdio: ['ignore', 'ignore', 'inherit'] })
    const written = () => existsSync(pids) && readFileSync(pids, 'utf8').endsWith(']')
    await waitFor(written, { what: 'the test to start' })
    const started: number[] = JSON.parse(readFileSync(pids, 'utf8'))
    expect(started.map(isAlive)).toEqual([true, true])
    child.kill('SIGKILL')
    const left = () => [...started.filter(isAlive).map(String), ...(existsSync(copy) ? [copy] : [])]
    await waitFor(() => left().length === 0, { what: 'the guard' }).catch((error) => {
      throw new Error(`left: ${left().join(', ')}`, { cause: error })
    })
  },
  90_000,
)

test('time limits are longer on a busy machine', () => {
  expect([patience(0, 2), patience(2, 2), patience(8, 2), patience(100, 2)]).toEqual([1, 1, 4, 6])
})

test('a test reaches the lines that it ran, also after other lines have moved', () => {
  expect(ranges([1, 2, 3, 7, 9, 10])).toBe('1-3,7,9-10')
  const then = 'a()\nb()\nc()\nd()'
  const reached = { 'core/a.ts': { hash: hashOf(then), missed: '2-3' } }
  const at = (now: string, line: number, original = 'x') =>
    reaches({ reached }, { file: 'core/a.ts', line, original }, now, then)
  expect([1, 2, 3, 4].map((line) => at(then, line))).toEqual([true, false, false, true])
  const now = 'new()\na()\nb()\nc()\nd()'
  expect([1, 2, 3, 4, 5].map((line) => at(now, line))).toEqual([true, true, false, false, true])
  expect(at(then, 3, 'c()\nd()')).toBe(true)
  expect(at(then, 2, 'b()\nc()')).toBe(false)
  expect(reaches({ reached: {} }, { file: 'core/a.ts', line: 1, original: 'x' }, then, then)).toBe(false)
})
