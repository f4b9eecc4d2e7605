import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultyProxy } from '../support/faulty-proxy'
import { firstLine } from '../support/first-line'
import { startProduct } from '../support/product'
import { hasGoneOn, passTime, waitFor } from '../support/wait-for'

const isLong = process.env.RENOWN_LONG === '1'
const outages = isLong ? 20 : 1
const batch = 20
/** What the server does besides dying. An answer that is lost leaves the outcome of an insert unknown. */
const faults = ['silent', 'slow', 'lost', 'killed'] as const
/** Far below the time limit of a request here. One that waited for the server itself would take longer. */
const waitMaxMs = 15_000

/** A ClickHouse server for tests on a folder and port of its own choice, to be killed and started again. */
async function startServer(folder: string, port: number) {
  const front = join(import.meta.dir, '../support/clickhouse-front.ts')
  const child = Bun.spawn([process.execPath, front, String(port), folder], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const said = await firstLine(child.stdout)
  return {
    port: Number(/listening (\d+)/.exec(said)?.[1]),
    async kill() {
      child.kill('SIGKILL')
      await child.exited
    },
    stop: () => child.kill('SIGSTOP'),
    goOn: () => child.kill('SIGCONT'),
  }
}

test(`ClickHouse is killed, stopped, silent, slow, out of reach and its answers lost under load, ${outages} times: hits are taken all the while and each is counted once`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'renown-outage-'))
  let server = await startServer(folder, 0)
  const { port } = server
  const proxy = faultyProxy('127.0.0.1', port, 5_000)
  const env = {
    CLICKHOUSE_URL: `http://127.0.0.1:${proxy.port}/renown`,
    READ_SECONDS_MAX: '25',
    // The test asks again and again.
    LIMIT_READS_PER_MINUTE: '1000000',
    RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
  }
  const product = await startProduct({ env })
  const wrong: string[] = []
  const { ingest_url, api_url, forwarder_token, agent_key } = product.facts
  let accepted = 0
  let refused = 0
  let isOver = false

  async function send() {
    while (!isOver) {
      const hits = Array.from({ length: batch }, (_, n) => ({
        ts: new Date().toISOString(),
        ip: null,
        method: 'GET',
        path: `/page-${n}`,
        ua: 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
      }))
      const response = await fetch(`${ingest_url}/v1/hits`, {
        method: 'POST',
        headers: { authorization: `Bearer ${forwarder_token}`, 'content-type': 'application/json' },
        body: JSON.stringify(hits),
      })
      if (response.ok) accepted += ((await response.json()) as { accepted: number }).accepted
      else refused++
      await passTime(5)
    }
  }
  const ask = (path: string) =>
    fetch(`${api_url}${path}`, {
      headers: { authorization: `Bearer ${agent_key}` },
      signal: AbortSignal.timeout(waitMaxMs),
    })
  const counted = async () => {
    const response = await ask('/api/entities/AiTrafficDaily')
    if (!response.ok) {
      if (response.status !== 503 || !response.headers.has('retry-after')) wrong.push(String(response.status))
      return -1
    }
    const rows = (await response.json()) as { crawler_hits: number }[]
    return rows.reduce((sum, row) => sum + row.crawler_hits, 0)
  }
  /** What needs no traffic answers. */
  const restAnswers = async () => {
    for (const path of [
      '/readyz',
      '/healthz',
      '/api/entities/Review',
      '/api/entities/Lead',
      '/api/entities/Post',
    ]) {
      const { status } = await ask(path)
      if (status !== 200) wrong.push(`${path} ${status}`)
    }
  }
  /** Lives through one fault: traffic says so, everything else goes on, and it ends by itself. */
  const outlive = async (what: string, end: () => Promise<void> | void) => {
    expect(await counted()).toBe(-1)
    await restAnswers()
    await hasGoneOn(() => accepted, batch * 20)
    await end()
    await waitFor(async () => (await counted()) >= 0, {
      what: `an answer after ${what}`,
      timeoutMs: 40_000,
    })
  }

  const sending = send()
  try {
    for (let outage = 0; outage < outages; outage++) {
      await hasGoneOn(() => accepted, batch * 20)
      await server.kill()
      expect((await fetch(`${ingest_url}/healthz`)).status).toBe(200)
      await outlive('a kill', async () => {
        server = await startServer(folder, port)
      })
      await hasGoneOn(() => accepted, batch * 20)
      server.stop()
      await outlive('a stop', server.goOn)
      for (const fault of faults) {
        await hasGoneOn(() => accepted, batch * 20)
        proxy.set(fault)
        await outlive(fault, () => proxy.set('none'))
      }
    }
    isOver = true
    await sending
    await waitFor(async () => (await counted()) >= accepted, {
      what: 'the last hits',
      timeoutMs: 40_000,
      everyMs: 200,
    })
    expect(await counted()).toBe(accepted)
    expect(accepted).toBeGreaterThan(batch * outages)
    expect(refused).toBe(0)
    expect(wrong).toEqual([])
  } finally {
    isOver = true
    await sending.catch(() => undefined)
    proxy.set('none')
    await product[Symbol.asyncDispose]()
    proxy.stop()
    await server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}, 1_200_000)
