import { afterAll } from 'bun:test'
import { appendFileSync, readFileSync } from 'node:fs'

/**
 * Appends what each test file took to the file RENOWN_TEST_TIMES. `bun test/run.ts` loads it before the first test file.
 * Without `--parallel` it counts all files as one.
 */
const path = process.env.RENOWN_TEST_TIMES

/** Clock ticks of `/proc` are 10 ms long on Linux. */
const tickMs = 10

/** Clocks of this process, in milliseconds. Where the system has no `/proc`, children and waiting for a core count as 0. */
function clocks() {
  const { user, system } = process.cpuUsage()
  const [onCore = 0, waiting = 0] = numbersOf('/proc/self/schedstat')
  // After the name of the program, which ends with the last bracket.
  const children = numbersOf('/proc/self/stat', /\) \S (.*)/s)
  return {
    cpu: (user + system) / 1_000 + ((children[12] ?? 0) + (children[13] ?? 0)) * tickMs,
    wall: performance.now(),
    busy: (onCore + waiting) / 1_000_000,
  }
}

function numbersOf(file: string, part = /(.*)/s): number[] {
  try {
    return (part.exec(readFileSync(file, 'utf8'))?.[1] ?? '').trim().split(' ').map(Number)
  } catch {
    return []
  }
}

let before = clocks()
if (path)
  afterAll(() => {
    const after = clocks()
    const wall = after.wall - before.wall
    const idle = Math.max(0, wall - (after.busy - before.busy))
    appendFileSync(path, `${JSON.stringify({ file: Bun.main, cpu: after.cpu - before.cpu, wall, idle })}\n`)
    before = after
  })
