import { existsSync, readFileSync } from 'node:fs'

interface Limits {
  readonly timeMs: number
  readonly memoryBytes: number
  /** Ends the process when it aborts. */
  readonly signal: AbortSignal
}

/** A process that is ended when it uses too much. */
export interface WatchedProcess {
  /** Why the process was ended. Null if it was not. */
  readonly reason: string | null
  /** The most memory that was seen, in bytes. A process counts the memory of the one that started it as its own peak. */
  readonly peakBytes: number
  stop(reason: string): void
  /** Stops watching, and ends the process if it still runs. */
  end(): void
}

/** How often the memory is read. */
const everyMs = 50

/** Ends a process that takes too long or needs too much memory. */
export function watchProcess(
  child: Pick<Bun.Subprocess, 'pid' | 'kill' | 'exitCode' | 'signalCode'>,
  { timeMs, memoryBytes, signal }: Limits,
): WatchedProcess {
  let reason: string | null = null
  const kill = () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  }
  const stop = (why: string) => {
    reason ??= why
    kill()
  }
  const abort = () => stop('it was stopped')
  signal.addEventListener('abort', abort)
  const timer = setTimeout(() => stop(`it took longer than ${timeMs / 1_000} s`), timeMs)
  let peakBytes = 0
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, memoryOf(child.pid))
    if (peakBytes > memoryBytes) stop(`it needed more than ${memoryBytes / 1024 / 1024} MB`)
  }, everyMs)
  return {
    get reason() {
      return reason
    },
    get peakBytes() {
      return peakBytes
    },
    stop,
    end() {
      clearTimeout(timer)
      clearInterval(watch)
      signal.removeEventListener('abort', abort)
      kill()
    },
  }
}

/** Returns the most memory that a process had in bytes, where the system says it. 0 elsewhere, and after its end. */
function memoryOf(pid: number): number {
  const path = `/proc/${pid}/status`
  if (!existsSync(path)) return 0
  try {
    return Number(/^VmHWM:\s{0,20}(\d{1,15}) kB$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? 0) * 1_024
  } catch {
    return 0
  }
}
