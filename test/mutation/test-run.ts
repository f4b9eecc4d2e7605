import { availableParallelism, loadavg } from 'node:os'
import { markName, RunProcesses } from './processes'

/**
 * How a run of one test file ended. `hung` means that its processes used too much CPU time or memory. `late` means that
 * time limits ended it, which may be the fault of a busy machine. `cpu` is milliseconds, `memory` bytes at most.
 */
export interface TestRun {
  readonly outcome: 'passed' | 'failed' | 'hung' | 'late'
  readonly cpu: number
  readonly memory: number
  readonly output: string
}

/** Limits of a run in CPU milliseconds and bytes of all its processes. The clock decides nothing while they work. */
export interface Limits {
  readonly cpu: number
  readonly memory: number
}

/** Memory that no run of a mutant may exceed. */
export const mostMemory = 3_000_000_000
const everyMs = 200
/** Processes that use next to no CPU time for so long wait for something that never comes. */
const stuckMs = 60_000
const stuckCpuMs = 50

/** How much longer a time limit must be now, because others use the machine too. */
export const patience = (load = loadavg()[0] ?? 0, cores = availableParallelism()): number =>
  Math.min(6, Math.max(1, Math.ceil(load / cores)))

/** Runs one test file of a copy until its first failure. `coverage` names a folder for an lcov report. */
export async function runTestFile(
  copy: string,
  file: string,
  limits: Limits,
  coverage?: string,
): Promise<TestRun> {
  const { RENOWN_LONG: _, ...env } = process.env
  const covering = coverage ? ['--coverage', '--coverage-reporter=lcov', `--coverage-dir=${coverage}`] : []
  const timeout = String(20_000 * patience())
  const test = [process.execPath, 'test', '--bail=1', '--timeout', timeout, ...covering, `./${file}`]
  const child = Bun.spawn(['nice', '-n', '10', ...test], {
    cwd: copy,
    env: { ...env, [markName]: copy },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const processes = new RunProcesses(copy)
  let stopped: 'hung' | 'late' | undefined
  let memory = 0
  let active = { cpu: 0, at: performance.now() }
  const watch = setInterval(() => {
    const used = processes.usage()
    memory = Math.max(memory, used.memory)
    const now = performance.now()
    if (used.cpu - active.cpu > stuckCpuMs || used.cpu < active.cpu) active = { cpu: used.cpu, at: now }
    if (used.cpu > limits.cpu || used.memory > limits.memory) stopped ??= 'hung'
    else if (now - active.at > stuckMs) stopped ??= 'late'
    if (stopped) endGroup(child.pid)
    if (stopped) processes.end()
  }, everyMs)
  const texts = Promise.all([child.stdout.text(), child.stderr.text()])
  try {
    const code = await child.exited
    // What a broken test started and did not stop would keep the output open.
    processes.end()
    endGroup(child.pid)
    const [out, error] = await texts
    const cpu = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000
    const output = `${out}\n${error}`
    const ended = code === 0 ? 'passed' : testIsLate.test(output) ? 'late' : 'failed'
    return { outcome: stopped ?? ended, cpu, memory, output }
  } finally {
    clearInterval(watch)
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** What Bun says of a test that took longer than its limit, and `waitFor` of what did not come. */
const testIsLate = /timed out after \d+ms|waited \d+ ms in vain/
