import { expect, test } from 'bun:test'
import { claimedAtOnce, createDedup, type HitClaim } from '../../../ingest/count/dedup'

const site = () => createDedup(2 ** 22, () => new Date(1_000)).of('site_1')
const hashOf = (n: number) =>
  Bun.hash.xxHash32(String(n)) * 0x200000 + (Bun.hash.xxHash32(String(n), 1) >>> 11)
const many = 2 * claimedAtOnce + 500
/** So many hits. Every seventh has the id of another one, and every fifth has none. */
const hits = Array.from({ length: many }, (_, n) => ({
  id: n % 5 === 0 ? undefined : hashOf(n % 7 === 0 ? n % 50 : n + 1_000),
  sender_id: n % 3 === 0 ? hashOf(n % 90) : undefined,
}))
const summaryOf = ({ ids, senderIds, duplicates, repeated }: HitClaim) => ({
  ids,
  senderIds,
  duplicates: [...duplicates],
  repeated,
})
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a claim in turns finds the same as a claim at once', async () => {
  const atOnce = site().claimHits(hits, 1_000)
  let turns = 0
  const inTurns = await site().claimInTurns(hits, 1_000, async () => void turns++)
  expect(summaryOf(inTurns)).toEqual(summaryOf(atOnce))
  expect(atOnce.duplicates.size).toBeGreaterThan(100)
  expect(turns).toBe(3)
})

test('it says that it is being made, and no longer afterwards', async () => {
  const dedup = site()
  expect(dedup.claiming()).toBeNull()
  const claim = dedup.claimInTurns(hits, 1_000, nextTurn)
  const told = dedup.claiming()
  expect(told).not.toBeNull()
  await told
  expect(dedup.claiming()).toBeNull()
  await claim
})

test('a claim that ends in the middle gives back everything, and others go on', async () => {
  const dedup = site()
  let turns = 0
  const stopped = dedup.claimInTurns(hits, 1_000, async () => {
    if (++turns === 3) throw new Error('stopped')
  })
  await expect(stopped).rejects.toThrow('stopped')
  expect(dedup.claiming()).toBeNull()
  expect(summaryOf(dedup.claimHits(hits, 1_000))).toEqual(summaryOf(site().claimHits(hits, 1_000)))
})
