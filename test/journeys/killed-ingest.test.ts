import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { record, token } from '../ingest/support/ingest'
import { inTemporaryFolder, readJournal } from '../ingest/support/journal'
import { firstLine } from '../support/first-line'
import { hasGoneOn, passTime } from '../support/wait-for'

const isLong = process.env.RENOWN_LONG === '1'
const kills = isLong ? 300 : 4
const clients = 8

interface Child {
  readonly port: number
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<unknown>
}

async function startChild(directory: string): Promise<Child> {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, '../ingest/support/killed-ingest.ts'), directory],
    {
      stdout: 'pipe',
      stderr: 'inherit',
    },
  )
  const said = await firstLine(child.stdout)
  return {
    port: Number(said),
    kill(signal) {
      child.kill(signal)
      return child.exited
    },
  }
}

/**
 * A sender as bad as they come: portions overlap by the hits' own ids, batches go out twice at once, and what was
 * answered is sent again. Every hit has a path of its own, so that the journal can be held against what was sent.
 */
async function sendBatch(address: () => string, name: string, deadline: number) {
  const withIds = Math.random() < 0.3
  const hits = [...Array(1 + Math.floor(Math.random() * 20)).keys()].map((n) =>
    record({ ts: Date.now(), path: `/${name}/${n}`, ...(withIds && { id: `${name}-${n}` }) }),
  )
  const bodies = withIds
    ? [JSON.stringify(hits.slice(0, 12)), JSON.stringify(hits.slice(6))].filter((body) => body !== '[]')
    : [JSON.stringify(hits)]
  const headers: Record<string, string> = { authorization: `Bearer ${token}` }
  if (!withIds && Math.random() < 0.5) headers['idempotency-key'] = name
  const send = async (body: string) => {
    while (performance.now() < deadline) {
      const response = await fetch(`${address()}/v1/hits`, { method: 'POST', body, headers }).catch(
        () => null,
      )
      await response?.text().catch(() => {})
      if (response?.ok) return
      await passTime(10)
    }
    throw new Error('no answer in time')
  }
  const copies = bodies.flatMap((body) => Array(Math.random() < 0.3 ? 2 : 1).fill(body) as string[])
  await Promise.all(copies.map(send))
  if (Math.random() < 0.2) await Promise.all(bodies.map(send))
  return hits.map(({ path }) => path)
}

test(
  `what was acknowledged is in the journal exactly once, over ${kills} kills under load`,
  () =>
    inTemporaryFolder(async (directory) => {
      const deadline = performance.now() + (isLong ? 900_000 : 100_000)
      let child = await startChild(directory)
      let isOver = false
      const acknowledged: string[] = []
      const loads = [...Array(clients).keys()].map(async (client) => {
        for (let n = 0; !isOver; n++) {
          const address = () => `http://127.0.0.1:${child.port}`
          acknowledged.push(...(await sendBatch(address, `${client}-${n}`, deadline)))
        }
      })
      for (let kill = 0; kill < kills; kill++) {
        await hasGoneOn(() => acknowledged.length, 50)
        await child.kill('SIGKILL')
        child = await startChild(directory)
      }
      isOver = true
      await Promise.all(loads)
      await child.kill('SIGTERM')
      const { hits, torn } = await readJournal(directory)
      const counts = new Map<string, number>()
      for (const { path } of hits) counts.set(path, (counts.get(path) ?? 0) + 1)
      expect([...counts].filter(([, count]) => count !== 1)).toEqual([])
      expect(acknowledged.filter((path) => !counts.has(path))).toEqual([])
      expect(hits).toHaveLength(acknowledged.length)
      expect(torn).toBe(0)
      expect(acknowledged.length).toBeGreaterThan(kills * 10)
    }),
  isLong ? 1_000_000 : 120_000,
)
