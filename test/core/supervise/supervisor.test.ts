import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PartName, Restarts } from '../../../core/supervise/messages'
import { type SupervisorOptions, supervise } from '../../../core/supervise/supervisor'
import { isAlive } from '../../support/product'
import { quietLog } from '../../support/quiet-log'
import { waitFor } from '../../support/wait-for'

const root = mkdtempSync(join(tmpdir(), 'renown-supervisor-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const link = JSON.stringify(join(import.meta.dir, '../../../core/supervise/part.ts'))

/** A part that does as its file says; by default it serves until it is told to stop. */
const scripts: Record<string, string> = {
  good: `
import { joinSupervisor } from ${link}
const part = joinSupervisor()
part.listening(Number(process.env.THE_PORT) || 4_000 + process.pid % 1000)
const other = process.argv[2]
const port = await part.portOf(other).catch(() => process.exit(0))
await Bun.write(process.env.NOTES + process.argv[3], JSON.stringify({ port, own: process.env.THE_PORT ?? null }))
part.ready()
setInterval(() => Bun.write(process.env.NOTES + process.argv[3] + '-restarts', JSON.stringify(part.restarts())), 20)
await part.stopped
if (process.argv[3] === 'gateway') await part.endOf('ingest')
process.exit(0)`,
  refusing: `
import { joinSupervisor } from ${link}
import { StartError } from ${JSON.stringify(join(import.meta.dir, '../../../core/process/start-error.ts'))}
const part = joinSupervisor()
process.exit(part.failed(new StartError('The port is taken.')))`,
  failing: `
import { joinSupervisor } from ${link}
const part = joinSupervisor()
const file = Bun.file(process.env.NOTES + 'tries')
const tries = (await file.exists()) ? Number(await file.text()) : 0
await Bun.write(file, String(tries + 1))
if (tries === 0) process.kill(process.pid, 'SIGKILL')
if (tries === 1) process.exit(part.failed(new TypeError('a store was away')))
if (tries === 2) process.exit(0)
part.listening(2)
part.ready()
await part.stopped
process.exit(0)`,
  deaf: `
import { joinSupervisor } from ${link}
const part = joinSupervisor()
part.listening(1)
part.ready()
setInterval(() => {}, 1000)`,
}
for (const [name, text] of Object.entries(scripts)) writeFileSync(join(root, `${name}.ts`), text)

let runs = 0
function running(kinds: Readonly<Record<PartName, string>>, more: Partial<SupervisorOptions> = {}) {
  const notes = join(root, `notes-${++runs}-`)
  let pids: Readonly<Partial<Record<PartName, number>>> = {}
  const others: Record<PartName, PartName> = { gateway: 'ingest', ingest: 'gateway' }
  const supervisor = supervise({
    parts: (['gateway', 'ingest'] as const).map((name) => ({
      name,
      command: [process.execPath, join(root, `${kinds[name]}.ts`), others[name], name],
      env: { PATH: process.env.PATH, NOTES: notes },
      portSetting: 'THE_PORT',
    })),
    log: quietLog,
    now: () => new Date(),
    restartMs: 10,
    onStarted: (now) => (pids = now),
    ...more,
  })
  return {
    supervisor,
    pids: () => pids as Record<PartName, number>,
    note: (name: string) => Bun.file(notes + name).json(),
  }
}

const good = { gateway: 'good', ingest: 'good' }

describe('the supervisor', () => {
  test('tells each part the port of the other, and starts again what was killed, on the port it had', async () => {
    const { supervisor, pids, note } = running(good)
    await supervisor.ready
    const before = pids()
    expect((await note('gateway')).own).toBeNull()
    const port = (await note('gateway')).port
    process.kill(before.ingest, 'SIGKILL')
    await waitFor(() => pids().ingest !== before.ingest, { what: 'a new ingest' })
    await waitFor(async () => (await note('ingest')).own === String(port), { what: 'its old port' })
    expect(pids().gateway).toBe(before.gateway)
    const told = await waitFor(
      async () => {
        const restarts: Restarts = await note('gateway-restarts').catch(() => ({}))
        return restarts.ingest?.count ? restarts : null
      },
      { what: 'the gateway to hear of it' },
    )
    expect(told.ingest).toMatchObject({ count: 1, reason: 'SIGKILL', last_at: expect.any(String) })
    expect(told.gateway?.count).toBe(0)
    expect(await supervisor.stop('test', 4_000)).toBe(true)
    expect(Object.values(pids()).some(isAlive)).toBe(false)
  }, 90_000)

  test('a part that keeps ending is started again after longer and longer waits', async () => {
    const waits: number[] = []
    const log = {
      ...quietLog,
      error: (_: string, fields = {}) => void waits.push(Reflect.get(fields, 'in_ms')),
    }
    const { supervisor, pids } = running(good, { log, restartMs: 1, restartMsMax: 5 })
    await supervisor.ready
    for (let kill = 0; kill < 5; kill++) {
      const { ingest } = pids()
      process.kill(ingest, 'SIGKILL')
      await waitFor(() => pids().ingest !== ingest, { what: 'a new ingest' })
    }
    expect(waits).toEqual([1, 2, 4, 5, 5])
    await supervisor.stop('test', 4_000)
  }, 90_000)

  test('a part that cannot start ends the start with its own words; the others can be stopped', async () => {
    const { supervisor, pids } = running({ gateway: 'good', ingest: 'refusing' })
    await expect(supervisor.ready).rejects.toThrow('The port is taken.')
    await supervisor.stop('test', 4_000)
    expect(Object.values(pids()).some(isAlive)).toBe(false)
  }, 90_000)

  test('a part that dies before its first ready is started again after longer and longer waits', async () => {
    const waits: number[] = []
    const log = {
      ...quietLog,
      error: (_: string, fields = {}) => void waits.push(Reflect.get(fields, 'in_ms')),
    }
    const { supervisor, pids } = running({ gateway: 'good', ingest: 'failing' }, { log })
    const first = pids().gateway
    await supervisor.ready
    expect(waits).toEqual([10, 20, 40])
    expect(pids().gateway).toBe(first)
    expect(await supervisor.stop('test', 4_000)).toBe(true)
  }, 90_000)

  test('a part that does not stop is ended by force', async () => {
    const { supervisor, pids } = running({ gateway: 'deaf', ingest: 'deaf' })
    await supervisor.ready
    expect(await supervisor.stop('test', 50)).toBe(false)
    expect(Object.values(pids()).some(isAlive)).toBe(false)
  }, 90_000)

  test('a signal to a part is reported, and stops nothing by itself', async () => {
    const { supervisor, pids } = running(good)
    await supervisor.ready
    process.kill(pids().ingest, 'SIGTERM')
    expect(await supervisor.signalled).toBe('SIGTERM')
    expect(Object.values(pids()).every(isAlive)).toBe(true)
    expect(await supervisor.stop('test', 4_000)).toBe(true)
  }, 90_000)
})

test.each([
  ['while they serve', true],
  ['while they start', false],
])(
  'parts whose supervisor was killed %s end by themselves',
  async (_, isServing) => {
    const notes = join(root, `orphans-${isServing}-`)
    const script = join(root, 'supervisor.ts')
    writeFileSync(
      script,
      `import { supervise } from ${JSON.stringify(join(import.meta.dir, '../../../core/supervise/supervisor.ts'))}
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const part = (name, other) => ({ name, portSetting: 'THE_PORT', env: { PATH: process.env.PATH, NOTES: ${JSON.stringify(notes)} },
  command: [process.execPath, ${JSON.stringify(join(root, 'good.ts'))}, other, name] })
let pids
const supervisor = supervise({ parts: [part('gateway', 'ingest'), part('ingest', 'gateway')], log: silent,
  now: () => new Date(), onStarted: (now) => (pids = now) })
${isServing ? 'await supervisor.ready' : ''}
console.log(JSON.stringify(pids))`,
    )
    const child = Bun.spawn([process.execPath, script], { stdout: 'pipe' })
    let said = ''
    for await (const piece of child.stdout) {
      said += Buffer.from(piece).toString()
      if (said.includes('\n')) break
    }
    const pids = Object.values(JSON.parse(said) as Record<PartName, number>)
    expect(pids.every(isAlive)).toBe(true)
    child.kill('SIGKILL')
    await waitFor(() => !pids.some(isAlive), { what: 'the orphans to end' })
  },
  90_000,
)
