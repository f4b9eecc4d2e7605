import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The variable that every process of a run inherits. Its value is the copy of the checkout, which is the run's own. */
export const markName = 'RENOWN_MUTATION_COPY'

/** What the living processes of a run use. `cpu` is milliseconds and includes children that have ended, `memory` is bytes. */
export interface Usage {
  readonly cpu: number
  readonly memory: number
}

interface Process {
  readonly pid: number
  readonly parent: number
  /** The number of the process and when it began: numbers are used again. */
  readonly key: string
  readonly usage: Usage
}

const pageBytes = 4_096
const tickMs = 10

/**
 * Finds the processes of a run: those that inherited its mark, and the children of those. A child may have left the group
 * and the session. Linux alone says so; elsewhere nothing is found.
 */
export class RunProcesses {
  readonly #mark: string
  readonly #ours = new Set<string>()
  readonly #others = new Set<string>()

  constructor(copy: string) {
    this.#mark = `${markName}=${copy}`
  }

  /** What the processes use now. */
  usage(): Usage {
    const all = this.#living().map(({ usage }) => usage)
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
    return { cpu: sum(all.map(({ cpu }) => cpu)), memory: sum(all.map(({ memory }) => memory)) }
  }

  /** Whether none of them lives. */
  isEmpty(): boolean {
    return this.#living().length === 0
  }

  /** Kills the processes, and those that they start meanwhile. */
  end(): void {
    for (let round = 0; round < 20; round++) {
      const living = this.#living()
      if (living.length === 0) return
      for (const { pid } of living) signal(pid)
    }
  }

  #living(): Process[] {
    const all = processes()
    for (const { pid, key } of all)
      if (!this.#ours.has(key) && !this.#others.has(key))
        (isMarked(pid, this.#mark) ? this.#ours : this.#others).add(key)
    const keys = new Map(all.map(({ pid, key }) => [pid, key]))
    for (let grew = true; grew; ) {
      const children = all.filter(({ key, parent }) => {
        const ofParent = keys.get(parent)
        return !this.#ours.has(key) && ofParent !== undefined && this.#ours.has(ofParent)
      })
      for (const { key } of children) this.#ours.add(key)
      grew = children.length > 0
    }
    return all.filter(({ key }) => this.#ours.has(key))
  }
}

/** Tells a living process from a later one with the same number. Null if it has ended. */
export function keyOf(pid: number): string | null {
  if (existsSync('/proc/self/stat')) return processOf(pid)?.key ?? null
  try {
    process.kill(pid, 0)
    return String(pid)
  } catch {
    return null
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

function processes(): Process[] {
  const pids = listed('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  return pids.map((name) => processOf(Number(name))).filter((found) => found !== null)
}

/** Null where the process has ended. */
function processOf(pid: number): Process | null {
  const stat = textOf(`/proc/${pid}/stat`)
  // The name of the program stands in brackets and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent] = fields
  if (!state || state === 'Z') return null
  const ticks = fields.slice(11, 15).reduce((total, value) => total + Number(value), 0)
  return {
    pid,
    parent: Number(parent),
    key: `${pid} ${fields[19]}`,
    usage: { cpu: ticks * tickMs, memory: Number(fields[21]) * pageBytes },
  }
}

const isMarked = (pid: number, mark: string) => textOf(`/proc/${pid}/environ`).split('\0').includes(mark)

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
