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
  const watch = setInterval(() => {
    if (memoryOf(child.pid) > memoryBytes) stop(`it needed more than ${memoryBytes / 1024 / 1024} MB`)
  }, everyMs)
  return {
    get reason() {
      return reason
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

/** Returns the memory of a process in bytes, where the system says it. */
function memoryOf(pid: number): number {
  const path = `/proc/${pid}/statm`
  if (!existsSync(path)) return 0
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[1]) * 4096
  } catch {
    return 0
  }
}
