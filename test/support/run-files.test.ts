import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './product'
import { runFiles } from './run-files'
import { closingLines, filesToRunAgain, readOutcome } from './test-output'
import { waitFor } from './wait-for'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'renown-runner-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A test file with one test that passes, and one that does `work`. `isFirst` is true in its first run only. */
const put = (name: string, work: string) =>
  writeFileSync(
    join(root, name),
    `import { existsSync, writeFileSync } from 'node:fs'
import { expect, test } from 'bun:test'
const isFirst = !existsSync('${join(root, name)}.ran')
writeFileSync('${join(root, name)}.ran', '')
test('always passes', () => {})
test('works', async () => {
  ${work}
})
`,
  )
const passing = ''
const failingOnce = 'expect(isFirst).toBe(false)'
const failing = 'expect(1).toBe(2)'

const run = async (
  shared: readonly string[],
  alone: readonly string[] = [],
  usesServer: (file: string) => boolean = () => false,
) => {
  let printed = ''
  const result = await runFiles({
    root,
    shared,
    alone,
    options: ['--parallel=2', '--no-isolate', '--parallel-delay=0'],
    env: process.env,
    usesServer,
    print: (piece) => {
      printed += new TextDecoder().decode(piece)
    },
  })
  const { text, isGood } = closingLines({ files: [...shared, ...alone], ...result, needs: {}, seconds: 1 })
  const numbers = [...text.matchAll(/^ (\d+) (pass|fail)$/gm)].map(([, count]) => Number(count))
  return { printed, text, isGood, numbers, again: [...result.again.keys()] }
}

describe('A run of test files', () => {
  test('runs a file again that failed, and lists it when it passes then', async () => {
    put('a.test.ts', passing)
    put('b.test.ts', failingOnce)
    const { text, isGood, numbers, again, printed } = await run(['a.test.ts', 'b.test.ts'])
    expect([isGood, again, numbers]).toEqual([true, ['b.test.ts'], [4, 0]])
    expect(text).toMatch(/!! Passed only when run again\..*\n {2}b\.test\.ts:\n {4}works/)
    expect(text).toMatch(/^ 1 file passed only when run again$/m)
    expect(text).not.toContain('Failed:')
    expect(printed).toContain('!! b.test.ts failed and runs again, alone')
  })

  test('fails with a file that fails twice, also beside one that fails once', async () => {
    put('a.test.ts', failing)
    put('b.test.ts', failingOnce)
    const { text, isGood, numbers, again } = await run(['a.test.ts', 'b.test.ts'])
    expect([isGood, again.toSorted(), numbers]).toEqual([false, ['a.test.ts', 'b.test.ts'], [3, 1]])
    expect(text).toMatch(/Failed:\n {2}\(fail\) a\.test\.ts: works/)
    expect(text).toMatch(/^ 1 file passed only when run again$/m)
  })

  test('passes with three files that fail once', async () => {
    const files = ['a', 'b', 'c'].map((name) => `${name}.test.ts`)
    for (const file of files) put(file, failingOnce)
    const { text, isGood, numbers } = await run(files.slice(0, 2), files.slice(2))
    expect([isGood, numbers]).toEqual([true, [6, 0]])
    expect(text).toMatch(/^ 3 files passed only when run again$/m)
  })

  test('fails with four files that fail once, and runs none of them again', async () => {
    const files = ['a', 'b', 'c', 'd'].map((name) => `${name}.test.ts`)
    for (const file of files) put(file, failingOnce)
    const { text, isGood, numbers, again } = await run(files)
    expect([isGood, again, numbers]).toEqual([false, [], [4, 4]])
    expect(text).not.toContain('only when run again')
    for (const file of files) expect(text).toContain(`(fail) ${file}: works`)
  })

  test('runs up to twenty files again that share a server, beside three others', async () => {
    const ofServer = Array.from({ length: 20 }, (_, at) => `server-${at}.test.ts`)
    const others = ['a', 'b', 'c', 'd'].map((name) => `${name}.test.ts`)
    const usesServer = (file: string) => file.startsWith('server')
    const outcomes = (failed: readonly string[]) => [
      readOutcome(failed, 1, failed.map((file) => `${file}:\n(fail) works [1.00ms]\n`).join('')),
    ]
    const again = (failed: readonly string[]) =>
      filesToRunAgain(failed, outcomes(failed), usesServer).toSorted()
    const most = [...ofServer, ...others.slice(0, 3)]
    expect(again(most)).toEqual(most.toSorted())
    expect(again([...ofServer, ...others])).toEqual([])
    expect(again([...ofServer, 'server-20.test.ts'])).toEqual([])
    put('server-0.test.ts', failingOnce)
    for (const file of ['server-1.test.ts', 'server-2.test.ts', 'server-3.test.ts']) put(file, failingOnce)
    const { isGood } = await run(ofServer.slice(0, 4), [], usesServer)
    expect(isGood).toBe(true)
  })

  test.each([
    ['ends its process', 'process.exit(3)'],
    ['ends its process as if all was well', 'process.exit(0)'],
    ['throws between tests', "setImmediate(() => { throw new Error('late') }); await Bun.file('/').stat()"],
  ])('runs a file again that %s', async (_, work) => {
    put('a.test.ts', passing)
    put('b.test.ts', `if (isFirst) { ${work} }`)
    const once = await run(['a.test.ts', 'b.test.ts'])
    expect([once.isGood, once.again, once.numbers]).toEqual([true, ['b.test.ts'], [4, 0]])
    put('c.test.ts', work)
    const always = await run(['a.test.ts', 'c.test.ts'])
    expect([always.isGood, always.again]).toEqual([false, ['c.test.ts']])
    expect(always.text).not.toContain('only when run again')
    const alone = await run([], ['c.test.ts'])
    expect([alone.isGood, alone.again]).toEqual([false, ['c.test.ts']])
  })

  test.each([
    ['shared files', ['a.test.ts'], []],
    ['a file that runs alone', [], ['a.test.ts']],
  ])('leaves nothing running that a test of %s started', async (_, shared, alone) => {
    const pidFile = join(root, 'pid')
    put('a.test.ts', `writeFileSync('${pidFile}', String(Bun.spawn(['sleep', '600']).pid))`)
    expect((await run(shared, alone)).isGood).toBe(true)
    const pid = Number(readFileSync(pidFile, 'utf8'))
    await waitFor(() => !isAlive(pid), { what: 'the program to end' })
  })

  test('fails with a file that does not exist', async () => {
    put('a.test.ts', passing)
    const { text, isGood } = await run(['a.test.ts', 'gone.test.ts'])
    expect(isGood).toBe(false)
    expect(text).toContain('(fail) gone.test.ts: ')
  })
})
