import { describe, expect, test } from 'bun:test'
import { closingLines, type Outcome, readOutcome } from './test-output'

/** What Bun 1.4.5 prints of files side by side: a failure, skips, a worker that died, and a file that could not be read. */
const output = `
b.test.ts:
(pass) b1 [300.54ms]

test/a.test.ts:
(pass) a1 [500.78ms]
error: expect(received).toBe(expected)
(fail) a2 [0.26ms]
(skip) a3 (needs nginx, curl)
(skip) a suite (needs MongoDB) > a4
✗ test/c.test.ts (worker crashed: exit code 3)

test/d.test.ts:

# Unhandled error between tests

1 tests failed:
(fail) a2 [0.26ms]

 2 pass
 2 skip
 2 fail
 1 error
 12 expect() calls
Ran 6 tests across 4 files. [528.00ms]
`
const read = (text: string, code: number, files: string[] = []): Outcome => readOutcome(files, code, text)
const closing = (files: string[], ...outcomes: Outcome[]) =>
  closingLines({
    files,
    outcomes,
    again: new Map(),
    needs: { MongoDB: { how: 'start one' } },
    seconds: 1.5,
  })

describe('the end of a run', () => {
  test('adds the counts up, and names what failed and why tests were skipped', () => {
    const other = read('e.test.ts:\n(pass) e\n\n 1 pass\n 0 fail\nRan 1 tests across 1 file. [1ms]\n', 0)
    const files = ['b.test.ts', 'test/a.test.ts', 'test/d.test.ts', 'e.test.ts']
    const { text, isGood } = closing(files, read(output, 1), other)
    expect(isGood).toBe(false)
    expect(text).toBe(`
Skipped:
  1 for want of nginx, curl. To have it: nginx; curl
  1 for want of MongoDB. To have it: start one

Failed:
  (fail) test/a.test.ts: a2 [0.26ms]
  (fail) test/c.test.ts: (worker crashed: exit code 3)
  (fail) test/d.test.ts: an error between tests

 3 pass
 2 skip
 3 fail
 12 expect() calls
Ran 7 tests across 4 files. [1.50s]`)
  })

  const good = 'a.test.ts:\n(pass) a\n\n 1 pass\n 0 fail\nRan 1 tests across 1 file. [1ms]\n'
  test('is good where everything ran and passed', () => {
    expect(closing(['a.test.ts'], read(good, 0)).isGood).toBe(true)
  })

  test.each([
    ['a file did not run', closing(['a.test.ts', 'b.test.ts'], read(good, 0)), 'b.test.ts: did not run'],
    ['the process ended with another code', closing(['a.test.ts'], read(good, 139)), ' 1 fail'],
    [
      'its only file ended early',
      closing(['a.test.ts'], read('a.test.ts:\n(pass) a\n', 0, ['a.test.ts'])),
      'a.test.ts: ended with code 0 before its last test',
    ],
    ['nothing was said', closing(['a.test.ts'], read('', 0)), 'a.test.ts: did not run'],
  ])('is bad where %s', (_, { text, isGood }, said) => {
    expect(isGood).toBe(false)
    expect(text).toContain(said)
    expect(text).not.toContain(' 0 fail')
  })
})
