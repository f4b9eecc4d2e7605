import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const child = join(import.meta.dir, 'support', 'crash-child.ts')
const isLong = Boolean(process.env.RENOWN_LONG)
const kills = isLong ? 60 : 3
const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

/**
 * Runs a counter until it is killed; answers the batches it acknowledged. The kill comes a while after it acknowledged
 * `least` batches, so that a busy machine kills as late in its work as a quiet one.
 */
async function runAndKill(folder: string, run: string, least: number, afterMs: number): Promise<string[]> {
  const counter = Bun.spawn(['bun', child, folder, run], { stdout: 'pipe', stderr: 'inherit' })
  const acked: string[] = []
  let rest = ''
  let isReady = false
  let isEnding = false
  for await (const chunk of counter.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('acked ')) acked.push(line.slice(6))
    isReady ||= lines.includes('ready')
    if (!isReady || isEnding || acked.length < least) continue
    isEnding = true
    setTimeout(() => counter.kill('SIGKILL'), afterMs)
  }
  await counter.exited
  expect(counter.signalCode).toBe('SIGKILL')
  return acked
}

/** What a power cut can do: ClickHouse never syncs the log of its deduplication tokens. */
async function forgetTokens(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true })
  const logs = files.filter((file) => file.endsWith('deduplication_logs'))
  await Promise.all(logs.map((log) => rm(join(folder, log), { recursive: true, force: true })))
  return logs.length
}

test.each([
  ['', false],
  [', also when ClickHouse forgets its deduplication tokens', true],
])(
  'killed at any moment, nothing acknowledged is lost and nothing is counted twice%s',
  async (_, forgets) => {
    const folder = await mkdtemp(join(tmpdir(), 'renown-crash-'))
    folders.push(folder)
    const acked: string[] = []
    let forgotten = 0
    for (let run = 0; run < kills; run++) {
      // Every third is killed at a moment that may fall before its first batch.
      const least = run % 3 === 2 ? 0 : 10
      acked.push(...(await runAndKill(folder, String(run), least, 30 + Math.random() * 350)))
      if (forgets) forgotten += await forgetTokens(folder)
    }
    const finish = Bun.spawn(['bun', child, folder, 'finish'], { stdout: 'pipe', stderr: 'inherit' })
    const { rows, receipts } = JSON.parse(await finish.stdout.text()) as {
      rows: { path: string; n: number }[]
      receipts: unknown[]
    }
    const counts = new Map(rows.map(({ path, n }) => [path, n]))
    expect(acked.length).toBeGreaterThan(kills)
    expect(acked.filter((path) => counts.get(path) !== 40)).toEqual([])
    expect(rows.filter(({ n }) => n !== 40)).toEqual([])
    expect(receipts).toEqual([])
    if (forgets) expect(forgotten).toBeGreaterThan(0)
    if (isLong) process.stdout.write(`${kills} kills, ${acked.length * 40} hits acknowledged, all exact\n`)
  },
  400_000,
)
