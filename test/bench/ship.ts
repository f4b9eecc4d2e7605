import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../support/cpu'
import { drawnLine } from '../support/drawn-line'

const rounds = 3
const linesPerPart = 50_000
const root = join(import.meta.dir, '../..')

interface Cost {
  readonly cpuMs: number
  readonly wallMs: number
  readonly memoryMb: number
}

/**
 * `bun run bench ship [lines]`: `renown ship file --from-start --once` as a process of its own, into a receiver in another
 * process that counts the lines, with and without compression. Beside it, each in a process of its own, what anybody who
 * reads a log has to do: `wc -l`, and splitting the lines with Node's streams. CPU is that of the whole process, its start
 * included. Five million lines unless told otherwise.
 */
export async function run(): Promise<void> {
  const lines = Number(process.argv[3] ?? 5_000_000)
  const folder = mkdtempSync(join(tmpdir(), 'renown-bench-ship-'))
  const sink = Bun.spawn([process.execPath, join(import.meta.dir, 'ship-server.ts')], { stdout: 'pipe' })
  try {
    const { value } = await sink.stdout.getReader().read()
    const url = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`
    const path = join(folder, 'access.log')
    await writeLog(path, lines)
    console.log(`${lines.toLocaleString('en')} lines, ${Math.round(statSync(path).size / 1e6)} MB`)
    const shipped = (name: string, ...words: string[]) => {
      const state = join(folder, `${name}-${crypto.randomUUID()}`)
      const ship = [
        'ship/main.ts',
        'ship',
        'file',
        path,
        '--to',
        url,
        '--state',
        state,
        '--from-start',
        '--once',
      ]
      return costOf([process.execPath, ...ship, ...words], `${lines} accepted, 0 ignored, 0 rejected`)
    }
    const costs: Record<string, Cost[]> = {}
    const add = async (name: string, cost: Promise<Cost>) => {
      costs[name] = [...(costs[name] ?? []), await cost]
    }
    for (let round = 0; round < rounds; round++) {
      await add('wc -l', costOf(['wc', '-l', path], `${lines} `))
      await add('split with Node’s streams', costOf([process.execPath, '-e', splitting, path], `${lines}`))
      await add('shipped', shipped('plain', '--no-compress'))
      await add('shipped, compressed', shipped('compressed'))
    }
    print(costs, lines)
  } finally {
    sink.kill()
    await sink.exited
    rmSync(folder, { recursive: true, force: true })
  }
}

const splitting = `
  const lines = require('node:readline').createInterface({ input: require('node:fs').createReadStream(process.argv[1]) })
  let count = 0
  for await (const line of lines) if (line.length > 0) count++
  console.log(count)`

/** Runs a command to its end. Throws if it does not say what is expected. */
async function costOf(command: readonly string[], expected: string): Promise<Cost> {
  const began = performance.now()
  const child = Bun.spawn([...command], {
    cwd: root,
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, RENOWN_FORWARDER_TOKEN: 'bench' },
  })
  let memoryMb = 0
  const watch = setInterval(() => {
    memoryMb = Math.max(memoryMb, mostMemoryMb(child.pid))
  }, 50)
  const said = (await Promise.all([child.stdout.text(), child.stderr.text()])).join('')
  await child.exited
  clearInterval(watch)
  if (!said.includes(expected)) throw new Error(`${command.join(' ')}: ${said}`)
  const usage = child.resourceUsage()
  return {
    cpuMs: Number(usage?.cpuTime.total ?? 0) / 1_000,
    wallMs: performance.now() - began,
    memoryMb,
  }
}

/** The peak of the memory of a process so far, 0 if it has ended. The usage of a child begins with that of its parent. */
function mostMemoryMb(pid: number): number {
  try {
    const peak = /VmHWM:\s{1,20}(\d{1,12}) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(peak?.[1] ?? 0) / 1_000
  } catch {
    return 0
  }
}

function print(costs: Record<string, readonly Cost[]>, lines: number): void {
  const of = (name: string, key: keyof Cost) => median((costs[name] ?? []).map((cost) => cost[key]))
  for (const name of Object.keys(costs)) {
    const cpu = of(name, 'cpuMs')
    const wall = of(name, 'wallMs')
    const memory = of(name, 'memoryMb')
    const perLine = ((1_000 * cpu) / lines).toFixed(3)
    console.log(
      `${name}: ${perLine} µs CPU a line, ${(wall / 1_000).toFixed(1)} s, ${Math.round(memory)} MB at most`,
    )
  }
  for (const name of ['shipped', 'shipped, compressed'])
    for (const floor of ['wc -l', 'split with Node’s streams'])
      console.log(`${name}: ${(of(name, 'cpuMs') / of(floor, 'cpuMs')).toFixed(1)} times the CPU of ${floor}`)
  console.log('goal: at most 3')
}

async function writeLog(path: string, lines: number): Promise<void> {
  const file = createWriteStream(path)
  for (let first = 0; first < lines; first += linesPerPart) {
    const count = Math.min(linesPerPart, lines - first)
    const part = Array.from({ length: count }, (_, n) => drawnLine(first + n))
    if (!file.write(`${part.join('\n')}\n`)) await new Promise((resolve) => file.once('drain', resolve))
  }
  await new Promise((resolve) => file.end(resolve))
}
