import { UnavailableError } from '../port'
import type { Connection } from './connection'

/** Runs writes one after another. Writes from one turn of the event loop share one commit. */
export interface Writer {
  /** Runs a write. Resolves when it is on disk. If it throws, only this write is undone. */
  write<T>(run: () => T): Promise<T>
  /** Resolves when no work is waiting. */
  idle(): Promise<void>
  /** Does something while no write runs. Writes wait for it. */
  pause<T>(work: () => Promise<T>): Promise<T>
}

interface Waiting {
  run(): unknown
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** After this many milliseconds, a turn commits so that readers can continue. */
const turnMilliseconds = 8

/** Creates the writer with group commit. `onCommit` receives the number of writes in a commit. `nowMs` times the turns. */
export function createWriter(
  connection: Connection,
  onCommit: (writes: number) => void,
  nowMs: () => number = () => performance.now(),
): Writer {
  let waiting: Waiting[] = []
  let scheduled = false
  const resting: (() => void)[] = []
  let pauses = 0

  const schedule = () => {
    if (scheduled || pauses > 0) return
    scheduled = true
    setImmediate(flush)
  }
  const flush = () => {
    scheduled = false
    if (pauses > 0) return
    const batch = waiting
    waiting = []
    const done = commit(connection, batch, nowMs)
    waiting = [...batch.slice(done), ...waiting]
    if (waiting.length > 0) schedule()
    else for (const rest of resting.splice(0)) rest()
    if (done > 0) onCommit(done)
  }
  return {
    write: <T>(run: () => T) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ run, resolve: resolve as (value: unknown) => void, reject })
        schedule()
      }),
    idle: () => new Promise((resolve) => (waiting.length === 0 ? resolve() : resting.push(resolve))),
    async pause(work) {
      pauses++
      try {
        return await work()
      } finally {
        pauses--
        if (waiting.length > 0) schedule()
      }
    },
  }
}

/** Runs writes from the front of a batch in one transaction. Returns how many. */
function commit({ db, run }: Connection, batch: readonly Waiting[], nowMs: () => number): number {
  const answers: (() => void)[] = []
  let taken = 0
  try {
    run('BEGIN IMMEDIATE')
    const started = nowMs()
    for (const entry of batch) {
      taken++
      answers.push(attempt({ db, run }, entry))
      if (nowMs() - started > turnMilliseconds) break
    }
    run('COMMIT')
  } catch (error) {
    const closed = error instanceof UnavailableError
    if (!closed && db.inTransaction) db.run('ROLLBACK')
    const failure = closed
      ? error
      : new UnavailableError(`The database cannot write: ${(error as Error).message}`)
    taken = Math.max(taken, 1)
    for (const entry of batch.slice(0, taken)) entry.reject(failure)
    return taken
  }
  for (const answer of answers) answer()
  return taken
}

function attempt({ db, run }: Pick<Connection, 'db' | 'run'>, entry: Waiting): () => void {
  run('SAVEPOINT one')
  try {
    const value = entry.run()
    run('RELEASE one')
    return () => entry.resolve(value)
  } catch (error) {
    // A full disk may have ended the whole transaction. Nothing of the turn was written then.
    if (!db.inTransaction) throw error
    run('ROLLBACK TO one')
    run('RELEASE one')
    return () => entry.reject(error)
  }
}
