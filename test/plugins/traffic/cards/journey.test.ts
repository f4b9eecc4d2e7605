import { expect, test } from 'bun:test'
import type { ReadContext } from 'renown'
import { crawlsStage, visitsStage } from '../../../../plugins/traffic/cards/journey'

/** A workspace with this many sites, which counts its reads. */
function workspaceWith(sites: number) {
  const reads = { all: 0, atOnce: 0, most: 0 }
  const rows = () => ({
    async *each() {
      for (let place = 0; place < sites; place++) yield { id: `sit_${place}`, domain: `n${place}.example` }
    },
    async groupEntries() {
      reads.all++
      reads.most = Math.max(reads.most, ++reads.atOnce)
      await Promise.resolve()
      reads.atOnce--
      return []
    },
  })
  return { reads, ctx: { rows } as unknown as ReadContext }
}

test('the number of reads for a page does not grow with the number of sites', async () => {
  const asked = {
    path: '/services',
    domain: null,
    location_id: undefined,
    period: { date_from: '2026-03-01', date_to: '2026-03-14', days: 14 },
  }
  const counts = []
  for (const sites of [1, 40]) {
    const { ctx, reads } = workspaceWith(sites)
    await Promise.all([crawlsStage.read(ctx, asked), visitsStage.read(ctx, asked)])
    counts.push(reads)
  }
  expect(counts[1]).toEqual(counts[0])
  expect(counts[1]?.most).toBeLessThan(16)
})
