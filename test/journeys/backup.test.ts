import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countByHand, type DrawnHit, dailyRows, drawBatch } from '../support/drawn-batches'
import { type RunningProduct, startProduct } from '../support/product'
import { hasGoneOn, passTime, waitFor } from '../support/wait-for'

const env = { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', LOG_LEVEL: 'error' }
const root = mkdtempSync(join(tmpdir(), 'renown-backup-journey-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Sends batches until it is ended, each until it is acknowledged. Returns the acknowledged hits, in order. */
function sendTo({ facts }: RunningProduct) {
  const acknowledged: DrawnHit[] = []
  const sent: DrawnHit[] = []
  let isOver = false
  const run = async () => {
    for (let n = 0; !isOver; n++) {
      const { hits, headers } = drawBatch(`batch-${n}`)
      sent.push(...hits)
      for (let status = 0; status !== 200; ) {
        const response = await fetch(`${facts.ingest_url}/v1/hits`, {
          method: 'POST',
          body: JSON.stringify(hits),
          headers: { authorization: `Bearer ${facts.forwarder_token}`, ...headers },
        }).catch(() => null)
        await response?.text().catch(() => {})
        status = response?.status ?? 0
        if (status !== 200) await passTime(20)
      }
      acknowledged.push(...hits)
      await passTime(5)
    }
  }
  const done = run()
  return {
    acknowledged,
    sent,
    async end() {
      isOver = true
      await done
    },
  }
}

const flat = (days: ReturnType<typeof countByHand>) =>
  new Map(
    Object.entries(days).flatMap(([day, agents]) =>
      Object.entries(agents).map(([agent, n]) => [`${day} ${agent}`, n] as const),
    ),
  )

/** Every row of an export, without what a start writes anew. */
async function rowsOf(product: RunningProduct, file: string): Promise<string[]> {
  const { code, stderr } = await product.renownProcess('data', 'export', file)
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  const [, ...lines] = (await Bun.file(file).text()).trim().split('\n')
  rmSync(file)
  return lines
    .filter((line) => line.startsWith('{"in":') && !/^\{"in":"(?:Installation|Job|UsageDay)"/.test(line))
    .sort()
}

test('a backup under load restores every hit that was acknowledged before it, and none twice', async () => {
  const dataDir = join(root, 'live')
  const backups = join(root, 'backups')
  const product = await startProduct({ env, dataDir, startMs: 180_000 })
  const { agent_key } = product.facts
  const load = sendTo(product)
  let before: DrawnHit[] = []
  let folder = ''
  let until: DrawnHit[] = []
  try {
    await hasGoneOn(() => load.acknowledged.length, 300)
    before = [...load.acknowledged]
    const made = await product.renownProcess('data', 'backup', backups, '--json')
    expect([made.code, made.code === 0 ? '' : made.stderr]).toEqual([0, ''])
    ;({ folder } = JSON.parse(made.stdout) as { folder: string })
    until = [...load.sent]
    await hasGoneOn(() => load.acknowledged.length, 100)
  } finally {
    await load.end()
    await product[Symbol.asyncDispose]()
  }
  await using restored = await startProduct({ env, dataDir: folder, startMs: 180_000 })
  const least = flat(countByHand(before))
  const most = flat(countByHand(until))
  const counted = async () => flat(await dailyRows(restored.facts.api_url, agent_key).catch(() => ({})))
  const holdsAll = (rows: ReadonlyMap<string, number>) =>
    [...least].every(([key, n]) => (rows.get(key) ?? 0) >= n)
  await waitFor(async () => holdsAll(await counted()), {
    what: 'every hit of before',
    timeoutMs: 30_000,
    everyMs: 200,
  })
  // What came later is not waited for: rows that still rise would rise above what was ever sent.
  await restored.renown('site', 'list')
  for (const [key, n] of await counted()) expect([key, n <= (most.get(key) ?? 0)]).toEqual([key, true])
}, 480_000)

test('a backup that is killed leaves a running product and no backup, and the next one is whole, row by row', async () => {
  const dataDir = join(root, 'rest')
  const backups = join(root, 'rest-backups')
  const first = await startProduct({ env, dataDir, words: ['--demo'], startMs: 180_000 })
  let live: string[] = []
  try {
    const going = first.renownProcess('data', 'backup', backups)
    await waitFor(() => readdirSync(root).includes('rest-backups') && readdirSync(backups).length > 0, {
      what: 'the backup to begin',
      timeoutMs: 30_000,
    })
    process.kill(first.parts().gateway, 'SIGKILL')
    await going
    expect(readdirSync(backups).every((name) => name.endsWith('.partial'))).toBe(true)
    await waitFor(
      async () => (await fetch(`${first.facts.api_url}/readyz`).catch(() => null))?.status === 200,
      {
        what: 'the gateway to come back',
        timeoutMs: 30_000,
      },
    )
    // The demo's answers are summed in the background. After that nothing changes by itself.
    let last: string[] = []
    await waitFor(
      async () => {
        live = await rowsOf(first, join(root, 'live.ndjson'))
        const isSame = Bun.deepEquals(live, last)
        last = live
        return isSame
      },
      { what: 'the demo to be at rest', timeoutMs: 120_000, everyMs: 2_000 },
    )
    expect((await first.renownProcess('data', 'backup', backups, '--keep', '1')).code).toBe(0)
  } finally {
    await first.stop()
  }
  const [name = '', ...others] = readdirSync(backups)
  expect(others).toEqual([])
  expect((await first.renownProcess('data', 'check', join(backups, name))).code).toBe(0)
  const place = join(root, 'rest-restored')
  cpSync(join(backups, name), place, { recursive: true, verbatimSymlinks: true })
  await using restored = await startProduct({ env, dataDir: place, startMs: 180_000 })
  const back = await rowsOf(restored, join(root, 'back.ndjson'))
  expect(back.length).toBeGreaterThan(10_000)
  const found = new Set(back)
  const missing = live.filter((line) => !found.has(line))
  expect(missing.slice(0, 3)).toEqual([])
}, 600_000)
