import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandsOf } from '../../core/cli/commands-of'
import { isLocal } from '../../core/cli/local-words'
import { createProgram } from '../../core/cli/program'
import { builtin } from '../../plugins'
import { type BusyInstallation, startBusy, startCrowd } from '../support/busy-installation'
import { type CommandRow, declaredRows, leavesOf } from '../support/command-rows'
import { part } from '../support/part'

const isLong = process.env.RENOWN_LONG === '1'
const clients = Number(process.env.RENOWN_TEST_CLIENTS ?? (isLong ? 1_000 : 10))
/** The short form runs every so many of the declared commands. */
const step = isLong ? 1 : 12
const root = join(import.meta.dir, '../..')
const folder = mkdtempSync(join(tmpdir(), 'renown-operator-'))
let busy: BusyInstallation
beforeAll(async () => {
  busy = await startBusy(clients)
}, 900_000)
afterAll(async () => {
  await busy?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const inFolder = (name: string) => join(folder, name)

/** The words of the commands that no plugin declares. `null`: it runs until somebody ends it, and speaks with no product. */
const ownRows: Readonly<Record<string, readonly string[] | null>> = {
  start: null,
  ship: null,
  status: [],
  doctor: [],
  'log import': [inFolder('access.log'), '--site', 'client-0.example'],
  'data backup': [inFolder('backups')],
  'data check': [inFolder('backups')],
  'data export': [inFolder('all.ndjson')],
  'data import': [inFolder('all.ndjson')],
  'plugin list': [],
  'plugin remove': ['app-reviews'],
  'range list': [],
  'range refresh': [],
  'secret reseal': [],
  'signing-key show': [],
  'signing-key rotate': [],
  'registry export': [inFolder('agents.json')],
  'registry check': [inFolder('agents.json')],
  'registry key create': [inFolder('registry.key')],
  'registry sign': [inFolder('agents.json'), '--key-file', inFolder('registry.key')],
}

/** These end what the others need, so they come last. */
const last = ['key rotate', 'key revoke', 'workspace archive', 'demo remove', 'person deactivate']

/** What a person sees of a command: when its first sign came, when it ended, how, and what it cost this machine. */
async function run(words: readonly string[]) {
  const began = performance.now()
  const child = Bun.spawn([process.execPath, 'core/cli/main.ts', ...words], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: folder, RENOWN_DATA_DIR: busy.product.dataDir },
    stdout: 'pipe',
    stderr: 'pipe',
    stdin: 'ignore',
  })
  let first = Number.POSITIVE_INFINITY
  const read = async (stream: ReadableStream<Uint8Array>) => {
    let text = ''
    for await (const chunk of stream) {
      first = Math.min(first, performance.now() - began)
      text += new TextDecoder().decode(chunk)
    }
    return text
  }
  const [stdout, stderr, code] = await Promise.all([read(child.stdout), read(child.stderr), child.exited])
  const ms = performance.now() - began
  const cpuMs = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000
  return { firstMs: Math.min(first, ms), ms, cpuMs, code, stdout, stderr }
}

describe('the door of operators', () => {
  test('every command has a row: declared ones by their inputs, others by this table', () => {
    const declared = declaredRows(new Map()).map(({ name }) => name)
    const program = createProgram(commandsOf(builtin), part({ terminal: { out() {}, err() {} } }))
    const others = leavesOf(program).filter((name) => !declared.includes(name) && name !== 'help')
    expect(others.sort()).toEqual(Object.keys(ownRows).sort())
  })

  test('every command answers while users ask all that is slow, and its own process costs little', async () => {
    mkdirSync(folder, { recursive: true })
    const line = (n: number) =>
      `192.0.2.1 - - [27/Nov/2026:10:00:0${n % 10} +0000] "GET /${n} HTTP/1.1" 200 9 "-" "GPTBot/1.2"\n`
    await Bun.write(inFolder('access.log'), Array.from({ length: 2_000 }, (_, n) => line(n)).join(''))
    const declared = declaredRows(busy.ids)
    const isLast = ({ name }: CommandRow) => last.includes(name)
    const rows = [
      ...Object.entries(ownRows).flatMap(([name, words]) =>
        words ? [{ name, words: [...name.split(' '), ...words] }] : [],
      ),
      ...declared.filter((row) => !isLast(row)),
      ...declared.filter(isLast),
    ].filter((_, place) => place < Object.keys(ownRows).length || place % step === 0)
    const crowd = startCrowd(busy, 1_200_000)
    const seen: { name: string; firstMs: number; ms: number; cpuMs: number }[] = []
    let beside = 0
    for (const { name, words } of rows) {
      if (crowd.waiting() > 0) beside++
      const { stdout, stderr, code, ...figures } = await run([...words, '--json'])
      seen.push({ name, ...figures })
      // An answer of the product, or its refusal in words. Never a hang, an error of the connection or a fault of ours.
      const said = JSON.parse(stdout || '{}') as { error?: { code: string } }
      const isAnswered = code === 0 || code === 1 || code === 2
      expect({ name, isAnswered, stderr: isAnswered ? '' : stderr }).toEqual({
        name,
        isAnswered: true,
        stderr: '',
      })
      expect({ name, code: said.error?.code }).not.toEqual({ name, code: 'internal' })
      // With all plugins, a process took 900 ms of processor time before it said a word.
      if (!isLocal(words)) expect({ name, isCheap: figures.cpuMs < 450 }).toEqual({ name, isCheap: true })
      expect(figures.firstMs).toBeLessThan(20_000)
    }
    // The last ones end the key of the users, so that these wait before they ask again.
    expect(beside).toBeGreaterThanOrEqual(rows.length - last.length)
    await crowd.end()
    expect([...crowd.statuses.keys()].filter((key) => /200$/.test(key)).length).toBeGreaterThan(3)
    if (!isLong) return
    const sorted = seen.toSorted((one, other) => other.firstMs - one.firstMs)
    console.log(
      `${seen.length} commands beside ${crowd.answered()} answers to users (${JSON.stringify([...crowd.statuses])})`,
    )
    for (const { name, firstMs, ms, cpuMs } of sorted)
      console.log(
        `${name}: first sign ${firstMs.toFixed(0)} ms, end ${ms.toFixed(0)} ms, CPU ${cpuMs.toFixed(0)} ms`,
      )
  }, 1_800_000)

  test('an export of everything says what it does while it works, and ends with its answer', async () => {
    const crowd = startCrowd(busy, 600_000)
    const { code, stdout, stderr, ms } = await run(['data', 'export', inFolder('again.ndjson'), '--json'])
    await crowd.end()
    expect(code).toBe(0)
    expect(JSON.parse(stdout).rows).toBeGreaterThan(clients)
    if (ms > 3_000) expect(stderr).toMatch(/Working for \d+ s: [\d,]+ lines, \w+/)
  }, 600_000)
})
