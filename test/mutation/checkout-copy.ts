import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * How a run of one test file ended. `hung` means that it used too much CPU time or memory. `late` means that only the
 * clock ended it, which may be the fault of a busy machine. `cpu` and `wall` are milliseconds.
 */
export interface TestRun {
  readonly outcome: 'passed' | 'failed' | 'hung' | 'late'
  readonly cpu: number
  readonly wall: number
  readonly output: string
}

/** Limits of a run. A hung mutant burns CPU time or waits; a busy machine only makes a run longer. */
export interface Limits {
  readonly cpu: number
  readonly wall: number
}

const memoryBytes = 4_000_000_000
const pageBytes = 4_096
const tickMs = 10

/** Copies a checkout into a temporary folder. Packages are linked, so that only the sources are copied. */
export function copyCheckout(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'renown-mutants-'))
  for (const name of readdirSync(root))
    if (!['node_modules', '.git'].includes(name) && !name.endsWith('.log'))
      cpSync(join(root, name), join(copy, name), { recursive: true, verbatimSymlinks: true })
  mkdirSync(join(copy, 'node_modules'))
  const ours: Record<string, string> = { renown: '..' }
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const example = join('..', 'examples', name.replace(/^renown-plugin-/, ''))
    const isExample = name.startsWith('renown-plugin-') && existsSync(join(copy, 'node_modules', example))
    const target = ours[name] ?? (isExample ? example : join(root, 'node_modules', name))
    symlinkSync(target, join(copy, 'node_modules', name))
  }
  return copy
}

/** Removes a copy. */
export const removeCopy = (copy: string) => rmSync(copy, { recursive: true, force: true })

/** Runs one test file of a copy until its first failure. `coverage` names a folder for an lcov report. */
export async function runTestFile(
  copy: string,
  file: string,
  limits: Limits,
  coverage?: string,
): Promise<TestRun> {
  const began = performance.now()
  const { RENOWN_LONG: _, ...env } = process.env
  const covering = coverage ? ['--coverage', '--coverage-reporter=lcov', `--coverage-dir=${coverage}`] : []
  const child = Bun.spawn(
    [
      'nice',
      '-n',
      '10',
      process.execPath,
      'test',
      '--bail=1',
      '--timeout',
      '20000',
      ...covering,
      `./${file}`,
    ],
    { cwd: copy, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  )
  let stopped: 'hung' | 'late' | undefined
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  const watch = setInterval(() => {
    const used = usageOf(child.pid)
    if (used.cpu > limits.cpu || used.memory > memoryBytes) stopped ??= 'hung'
    else if (performance.now() - began >= limits.wall) stopped ??= 'late'
    if (stopped) end()
  }, 250)
  process.once('exit', end)
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  clearInterval(watch)
  process.off('exit', end)
  // What a broken test started and did not stop.
  end()
  const cpu = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000
  const output = `${out}\n${error}`
  const outcome = stopped ?? (code === 0 ? 'passed' : testIsLate.test(output) ? 'late' : 'failed')
  return { outcome, cpu, wall: performance.now() - began, output }
}

/** What Bun says of a test that took longer than its limit, and `waitFor` of what did not come. */
const testIsLate = /timed out after \d+ms|waited \d+ ms in vain/

/** CPU time and memory of a running process. Zero where the system does not say. */
function usageOf(pid: number): { cpu: number; memory: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    return { cpu: ticks * tickMs, memory: Number(fields[21]) * pageBytes }
  } catch {
    return { cpu: 0, memory: 0 }
  }
}
