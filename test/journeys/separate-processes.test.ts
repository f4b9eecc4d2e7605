import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countByHand, type DrawnHit, dailyRows, drawBatch } from '../support/drawn-batches'
import { isAlive, type RunningProduct, startProduct } from '../support/product'
import { hasGoneOn, passTime, soonMs, waitFor } from '../support/wait-for'

const isLong = process.env.RENOWN_LONG === '1'
const rounds = isLong ? 30 : 1
const senders = 4
const env = { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', LOG_LEVEL: 'error' }
const root = mkdtempSync(join(tmpdir(), 'renown-separate-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const pidsOf = (product: RunningProduct) => [product.pid, ...Object.values(product.parts())]
const allGone = (pids: readonly number[]) =>
  waitFor(() => !pids.some(isAlive), { what: `processes ${pids} to be gone`, timeoutMs: 15_000 })

/** Senders that repeat a batch until it is answered with 200. */
function sendTo(product: () => RunningProduct) {
  const sent: DrawnHit[] = []
  let isOver = false
  const { forwarder_token } = product().facts
  const deliver = async (body: string, more: Record<string, string>) => {
    const headers = { authorization: `Bearer ${forwarder_token}`, ...more }
    for (;;) {
      const url = `${product().facts.ingest_url}/v1/hits`
      const response = await fetch(url, { method: 'POST', body, headers }).catch(() => null)
      await response?.text().catch(() => {})
      if (response?.ok) return
      if (response) expect(response.status).toBe(503)
      await passTime(20)
    }
  }
  const all = Array.from({ length: senders }, async (_, sender) => {
    for (let n = 0; !isOver; n++) {
      const { hits, headers } = drawBatch(`${sender}-${n}`)
      await deliver(JSON.stringify(hits), headers)
      sent.push(...hits)
      await passTime(5)
    }
  })
  return {
    sent,
    async end() {
      isOver = true
      await Promise.all(all)
    },
  }
}

async function countsExactly(product: RunningProduct, agentKey: string, sent: readonly DrawnHit[]) {
  const wanted = countByHand(sent)
  const daily = () => dailyRows(product.facts.api_url, agentKey).catch(() => null)
  await waitFor(async () => Bun.deepEquals(await daily(), wanted), {
    what: 'the daily rows',
    timeoutMs: 30_000,
    everyMs: 200,
  }).catch(async () => expect(await daily()).toEqual(wanted))
}

const answers = async (url: string) => (await fetch(url).catch(() => null))?.status === 200

test(
  `gateway, ingest and supervisor are killed ${rounds} times each under load: every hit counts once, and nothing is left running`,
  async () => {
    const dataDir = join(root, 'killed')
    let product = await startProduct({ env, dataDir })
    const { agent_key } = product.facts
    const load = sendTo(() => product)
    const seen: number[] = []
    try {
      for (let round = 0; round < rounds; round++) {
        for (const part of ['gateway', 'ingest'] as const) {
          await hasGoneOn(() => load.sent.length, 50)
          const other = part === 'gateway' ? 'ingest' : 'gateway'
          const before = product.parts()
          seen.push(...pidsOf(product))
          process.kill(before[part], 'SIGKILL')
          // The ingest goes on while the gateway is away.
          if (part === 'gateway') await hasGoneOn(() => load.sent.length, 50)
          const { api_url, ingest_url } = product.facts
          await waitFor(() => product.parts()[part] !== before[part], { what: `a new ${part}` })
          await waitFor(() => answers(`${part === 'gateway' ? api_url : ingest_url}/healthz`), {
            what: `the ${part} to answer on its port again`,
            timeoutMs: 30_000,
          })
          expect(product.parts()[other]).toBe(before[other])
        }
        await hasGoneOn(() => load.sent.length, 50)
        const pids = pidsOf(product)
        seen.push(...pids)
        process.kill(product.pid, 'SIGKILL')
        const gone = allGone(pids)
        await product[Symbol.asyncDispose]()
        // The next start does not wait for us to see the orphans end: it waits for their locks.
        product = await startProduct({ env, dataDir })
        await gone
      }
      await load.end()
      await countsExactly(product, agent_key, load.sent)
      expect(load.sent.length).toBeGreaterThan(rounds * 25)
    } finally {
      await load.end().catch(() => {})
      seen.push(...pidsOf(product))
      await product[Symbol.asyncDispose]()
    }
    await allGone(seen)
  },
  isLong ? 1_200_000 : 180_000,
)

describe('a process that stands still', () => {
  let product: RunningProduct
  beforeAll(async () => {
    product = await startProduct({ env, dataDir: join(root, 'stalled') })
  }, 90_000)
  afterAll(() => product[Symbol.asyncDispose]())

  const readiness = async () =>
    (await (await fetch(`${product.facts.ingest_url}/readyz`)).json()) as {
      accepting: boolean
      gateway: { reason: string } | null
    }

  test('the gateway: hits go on being answered, /readyz says why they wait, and each counts afterwards', async () => {
    const { gateway } = product.parts()
    const load = sendTo(() => product)
    process.kill(gateway, 'SIGSTOP')
    try {
      await waitFor(async () => (await readiness()).gateway !== null, {
        what: 'the ingest to notice',
        timeoutMs: 20_000,
      })
      expect(await readiness()).toMatchObject({
        accepting: true,
        gateway: { reason: expect.stringContaining('hits wait in the journal') },
      })
      await hasGoneOn(() => load.sent.length, 100)
      const waits = fetch(`${product.facts.api_url}/healthz`, { signal: AbortSignal.timeout(500) })
      await expect(waits).rejects.toThrow()
    } finally {
      process.kill(gateway, 'SIGCONT')
      await load.end()
    }
    await countsExactly(product, product.facts.agent_key, load.sent)
    await waitFor(async () => (await readiness()).gateway === null, {
      what: 'the ingest to hear of it again',
    })
    expect(product.parts().gateway).toBe(gateway)
    const metrics = await (await fetch(`${product.facts.api_url}/metrics`)).text()
    expect(Number(/^renown_gateway_stall_seconds_count (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0)
    const checks = JSON.parse((await product.renown('doctor', '--json')).stdout).checks
    expect(checks.find(({ name }: { name: string }) => name === 'event loops')).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('the gateway'),
    })
  }, 90_000)

  test('the ingest: reads of the gateway go on being answered', async () => {
    const { ingest } = product.parts()
    process.kill(ingest, 'SIGSTOP')
    try {
      const headers = { authorization: `Bearer ${product.facts.agent_key}` }
      for (let n = 0; n < 20; n++) {
        const signal = AbortSignal.timeout(soonMs)
        const response = await fetch(`${product.facts.api_url}/api/entities/Review`, { headers, signal })
        expect(response.status).toBe(200)
      }
    } finally {
      process.kill(ingest, 'SIGCONT')
    }
    await waitFor(() => answers(`${product.facts.ingest_url}/healthz`), { what: 'the ingest to go on' })
  }, 90_000)
})

test('TERM to one process stops all of them, in order, with 0', async () => {
  for (const part of ['gateway', 'ingest'] as const) {
    const product = await startProduct({ env, dataDir: join(root, `term-${part}`) })
    const pids = pidsOf(product)
    process.kill(product.parts()[part], 'SIGTERM')
    await allGone(pids)
    expect(await product.stop()).toBe(0)
    await product[Symbol.asyncDispose]()
  }
}, 90_000)
