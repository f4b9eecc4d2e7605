import { expect, test } from 'bun:test'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inTemporaryFolder } from '../ingest/support/journal'
import { countByHand, type DrawnHit, dailyRows, drawBatch } from '../support/drawn-batches'
import { type RunningProduct, startProduct } from '../support/product'
import { hasGoneOn, passTime, waitFor } from '../support/wait-for'

const isLong = process.env.RENOWN_LONG === '1'
const kills = isLong ? 100 : 2
const senders = 6
const env = { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', LOG_LEVEL: 'error' }

/** What a power cut can do: ClickHouse never syncs the log of its deduplication tokens. */
async function forgetTokens(dataDir: string): Promise<number> {
  const files = await readdir(join(dataDir, 'columns'), { recursive: true })
  const logs = files.filter((file) => file.endsWith('deduplication_logs'))
  await Promise.all(logs.map((log) => rm(join(dataDir, 'columns', log), { recursive: true, force: true })))
  return logs.length
}

test(
  `the whole product is killed ${kills} times under load: its daily rows are what was sent, also where ClickHouse forgot its tokens`,
  () =>
    inTemporaryFolder(async (folder) => {
      const dataDir = join(folder, 'data')
      let product: RunningProduct = await startProduct({ env, dataDir })
      const { agent_key, forwarder_token } = product.facts
      const sent: DrawnHit[] = []
      let isOver = false
      let forgotten = 0

      async function deliver(body: string, more: Record<string, string>) {
        const headers = { authorization: `Bearer ${forwarder_token}`, ...more }
        for (;;) {
          const url = `${product.facts.ingest_url}/v1/hits`
          const response = await fetch(url, { method: 'POST', body, headers }).catch(() => null)
          await response?.text().catch(() => {})
          if (response?.ok) return
          if (response) expect(response.status).toBe(503)
          await passTime(20)
        }
      }
      const sending = Array.from({ length: senders }, async (_, sender) => {
        for (let n = 0; !isOver; n++) {
          const { hits, headers } = drawBatch(`${sender}-${n}`)
          await deliver(JSON.stringify(hits), headers)
          sent.push(...hits)
          await passTime(5)
        }
      })
      try {
        for (let kill = 0; kill < kills; kill++) {
          await hasGoneOn(() => sent.length, 100)
          await product.kill()
          await product[Symbol.asyncDispose]()
          if (kill % 2 === 1) forgotten += await forgetTokens(dataDir)
          product = await startProduct({ env, dataDir })
        }
        isOver = true
        await Promise.all(sending)
        const wanted = countByHand(sent)
        const daily = () => dailyRows(product.facts.api_url, agent_key)
        await waitFor(async () => Bun.deepEquals(await daily(), wanted), {
          what: 'the daily rows',
          timeoutMs: 30_000,
          everyMs: 200,
        }).catch(async () => expect(await daily()).toEqual(wanted))
        expect(sent.length).toBeGreaterThan(kills * 20)
        expect(forgotten).toBeGreaterThan(0)
        if (isLong) console.log(`${kills} kills, ${sent.length} hits, each counted once`)
      } finally {
        isOver = true
        await Promise.allSettled(sending)
        await product[Symbol.asyncDispose]()
      }
    }),
  isLong ? 1_200_000 : 180_000,
)
