import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** What was last seen of each thread, by process: one that has ended keeps what it used. */
const seen = new Map<number, Map<string, number>>()

/** CPU time that a process has used so far, in microseconds, all its threads included (Linux). */
export function cpuOf(pid: number): number {
  const threads = seen.get(pid) ?? new Map<string, number>()
  seen.set(pid, threads)
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const ns = nanosecondsOf(`/proc/${pid}/task/${thread}`)
    if (ns !== null) threads.set(thread, ns)
  }
  return threads.values().reduce((sum, ns) => sum + ns, 0) / 1_000
}

/** To the nanosecond where the kernel tells it so, else in ticks of ten milliseconds; null for a thread that ended meanwhile. */
function nanosecondsOf(thread: string): number | null {
  try {
    if (existsSync('/proc/self/schedstat'))
      return Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ')[0])
    const fields = readFileSync(`${thread}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10_000_000
  } catch {
    return null
  }
}

/** The middle of some measurements. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}

export interface Spent {
  readonly wallMs: number
  readonly cpuMs: number
}

/** What some work takes of time, and of processor time in this process, all its threads included. */
export async function measured(work: () => Promise<unknown>): Promise<Spent> {
  const cpu = process.cpuUsage()
  const started = performance.now()
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { wallMs: performance.now() - started, cpuMs: (user + system) / 1000 }
}
