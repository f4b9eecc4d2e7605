import { readFileSync } from 'node:fs'

interface Ancestor {
  readonly pid: number
  readonly parent: number
}

/**
 * Under `npx`, a TERM to the outer process kills it and leaves this process running. Calls `onOrphaned` once when a
 * process between this one and npx has lost its parent. Does nothing outside npm.
 */
export function watchForOrphaning(userAgent: string | undefined, onOrphaned: () => void, everyMs = 250) {
  if (!userAgent?.startsWith('npm/')) return { stop() {} }
  const chain = ancestry(process.pid)
  const timer = setInterval(() => {
    if (chain.every(({ pid, parent }) => parentOf(pid) === parent)) return
    clearInterval(timer)
    onOrphaned()
  }, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/** Returns the parent processes up to npm, or three generations if none is npm. */
function ancestry(pid: number): Ancestor[] {
  const chain: Ancestor[] = []
  for (let at = pid; at > 1 && chain.length < 6; ) {
    if (chain.length > 0 && isNpm(at)) return chain
    const parent = parentOf(at)
    if (parent === null) break
    chain.push({ pid: at, parent })
    at = parent
  }
  return chain.slice(0, 3)
}

function parentOf(pid: number): number | null {
  const text = process.platform === 'linux' ? statusOf(pid) : ask('ppid=', pid)
  const found = /\d+/.exec(text)
  return found ? Number(found[0]) : null
}

function isNpm(pid: number): boolean {
  const command = process.platform === 'linux' ? read(`/proc/${pid}/cmdline`) : ask('command=', pid)
  return /^(?:\S*\/)?(?:npm|npx)\b|[/\\]np[mx](?:-cli)?(?:\.js)?[\s\0]/.test(command)
}

const statusOf = (pid: number) =>
  read(`/proc/${pid}/status`)
    .split('\n')
    .find((line) => line.startsWith('PPid:')) ?? ''

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function ask(column: string, pid: number): string {
  return Bun.spawnSync(['ps', '-o', column, '-p', String(pid)]).stdout.toString()
}
