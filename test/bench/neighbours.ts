import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstLine } from '../support/first-line'
import { type Door, doorsOf } from './neighbours/doors'
import type { ServerFacts } from './neighbours/facts'

const seconds = Number(process.env.RENOWN_BENCH_SECONDS ?? 60)
const leads = Number(process.env.RENOWN_BENCH_LEADS ?? 20_000)
const goal = 3
/**
 * One agency does its worst by every door. Prints how much slower the same reads of another agency become, as a ratio to
 * their own quiet figures, and what of them fails. Then the same beside a program that only burns CPU, for comparison.
 */
export async function run(only = ''): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'renown-neighbours-'))
  const program = join(import.meta.dir, 'neighbours/server.ts')
  const server = Bun.spawn([process.execPath, program, folder, String(leads)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  try {
    const facts = JSON.parse(await firstLine(server.stdout)) as ServerFacts
    const quiet = doorsOf(facts, facts.quiet, false)
    await measure(quiet, 2)
    const alone = await measure(quiet, seconds / 3)
    const loud = disturb(facts, seconds + 1, only)
    await Bun.sleep(1_000)
    const beside = await measure(quiet, seconds)
    const answered = JSON.parse(await new Response(loud.stdout).text()) as Answered
    const busy = [1, 2].map(() => Bun.spawn([process.execPath, '-e', 'for (;;) {}']))
    const burnt = await measure(quiet, seconds / 3)
    for (const each of busy) each.kill()
    report({ alone, beside, burnt })
    for (const [name, statuses] of Object.entries(answered)) console.log(`loud ${name}: ${told(statuses)}`)
  } finally {
    server.kill()
    await server.exited
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Figures {
  readonly p50: number
  readonly p99: number
  readonly count: number
  readonly failed: number
}
type Measured = ReadonlyMap<string, Figures>

/** Knocks at each door again and again, one request at a time, all doors at once. */
async function measure(doors: readonly Door[], forSeconds: number): Promise<Measured> {
  const until = performance.now() + forSeconds * 1_000
  const measured = await Promise.all(
    doors.map(async ({ name, knock }) => {
      const times: number[] = []
      let failed = 0
      while (performance.now() < until) {
        const { ms, status } = await knock()
        times.push(ms)
        if (status !== 200) failed++
        await Bun.sleep(200)
      }
      times.sort((a, b) => a - b)
      const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
      return [name, { p50: at(0.5), p99: at(0.99), count: times.length, failed }] as const
    }),
  )
  return new Map(measured)
}

/** Starts a loud agency for so many seconds. It has a process of its own, which is let open more connections than usual. */
function disturb(facts: ServerFacts, forSeconds: number, doors: string) {
  const program = join(import.meta.dir, 'neighbours/loud.ts')
  const command = [process.execPath, program, JSON.stringify(facts), String(forSeconds), doors]
  const env = { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: '2000' }
  return Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit', env })
}

function report({ alone, beside, burnt }: Record<'alone' | 'beside' | 'burnt', Measured>): void {
  const ms = (value: number) => `${value.toFixed(0)} ms`
  for (const [name, quiet] of alone) {
    const loud = beside.get(name)
    const cpu = burnt.get(name)
    if (!loud || !cpu) continue
    const ratio = loud.p99 / quiet.p99
    console.log(
      `${name.padEnd(11)} quiet p50 ${ms(quiet.p50)}, p99 ${ms(quiet.p99)} of ${quiet.count}; beside a loud agency p50 ${ms(loud.p50)}, ` +
        `p99 ${ms(loud.p99)} of ${loud.count} = ${ratio.toFixed(1)} × (goal ${goal} ×), ${loud.failed} failed; ` +
        `beside two busy loops ${(cpu.p99 / quiet.p99).toFixed(1)} ×`,
    )
  }
}

type Answered = Readonly<Record<string, Readonly<Record<string, number>>>>

const told = (statuses: Answered[string]) =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status === '0' ? 'cut off' : status}`)
    .join(', ')
