import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningProduct, startProduct } from '../support/product'
import { passTime, soonMs, waitFor } from '../support/wait-for'

const env = { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', LOG_LEVEL: 'error' }
const clients = 8
const linesEach = 500

const root = mkdtempSync(join(tmpdir(), 'renown-stopped-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('TERM under load stops within 5 s; what was acknowledged is counted, and once', async () => {
  const dataDir = join(root, 'data')
  const first = await startProduct({ env, dataDir })
  const { agent_key } = first.facts
  let isOver = false
  let batches = 0
  const loads = Array.from({ length: clients }, (_, client) =>
    load(
      first,
      client,
      () => isOver,
      () => batches++,
    ),
  )
  await waitFor(() => batches >= 3 * clients, { what: 'the load', timeoutMs: 30_000 })
  const began = performance.now()
  expect(await first.stop()).toBe(0)
  expect(performance.now() - began).toBeLessThan(soonMs)
  isOver = true
  const acknowledged = (await Promise.all(loads)).reduce((sum, each) => sum + each, 0)
  expect(acknowledged).toBeGreaterThan(0)

  await first[Symbol.asyncDispose]()
  const second = await startProduct({ env, dataDir })
  await using _ = second
  const counted = async () => {
    const response = await fetch(`${second.facts.api_url}/api/entities/AiTrafficDaily`, {
      headers: { authorization: `Bearer ${agent_key}` },
    })
    const rows = (await response.json()) as { crawler_hits: number }[]
    return rows.reduce((sum, row) => sum + row.crawler_hits, 0)
  }
  await waitFor(async () => (await counted()) >= acknowledged, { what: 'what was acknowledged' })
  // A batch whose answer was cut off may stand there too, whole.
  const more = (await counted()) - acknowledged
  expect(more % linesEach).toBe(0)
  expect(more).toBeLessThanOrEqual(clients * linesEach)
}, 90_000)

/** Sends one batch after the other, and answers how many hits were acknowledged. */
async function load(
  { facts }: RunningProduct,
  client: number,
  isOver: () => boolean,
  isTaken: () => void,
): Promise<number> {
  let acknowledged = 0
  for (let batch = 0; !isOver(); batch++) {
    const lines = Array.from({ length: linesEach }, (_, line) =>
      JSON.stringify({
        ts: new Date().toISOString(),
        ip: null,
        method: 'GET',
        path: `/p/${line}`,
        ua: 'GPTBot/1.2',
        id: `${client}-${batch}-${line}`,
      }),
    )
    const response = await fetch(`${facts.ingest_url}/v1/hits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${facts.forwarder_token}`, 'content-type': 'application/x-ndjson' },
      body: lines.join('\n'),
    }).catch(() => null)
    if (response?.ok) {
      acknowledged += ((await response.json()) as { accepted: number }).accepted
      isTaken()
    } else await passTime(20)
  }
  return acknowledged
}
