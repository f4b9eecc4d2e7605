import { expect, test } from 'bun:test'
import { hitsTable, touchedTable } from 'renown/contracts'
import { createFlusher } from '../../ingest/flusher'
import { freshColumns } from '../support/chdb'
import { record, withIngest } from './support/ingest'

test('what was accepted stands in ClickHouse after a flush, once, with the days it touched', async () => {
  await using columns = await freshColumns()
  await columns.ensure([hitsTable, touchedTable])
  let flushed = 0
  await withIngest(
    async ({ ingest, send }) => {
      const body = JSON.stringify([record(), record({ path: '/b', ip: null }), record()])
      expect((await send('/v1/hits', body)).body).toMatchObject({ accepted: 3 })
      expect((await send('/v1/hits', body)).body).toMatchObject({ duplicate: 3 })
      await send('/s/key1', ',https://claude.ai/,/b', { origin: 'https://example.com' })
      await ingest.flush()
      expect(
        await columns.query(
          `SELECT kind, agent, path, toUInt32(sum(hits)) AS hits, toUInt32(sum(verified)) AS verified
           FROM traffic_hits WHERE kind != 'receipt' GROUP BY kind, agent, path ORDER BY kind, path`,
        ),
      ).toEqual([
        { kind: 'crawl', agent: 'GPTBot', path: '/b', hits: 1, verified: 0 },
        { kind: 'crawl', agent: 'GPTBot', path: '/pricing', hits: 2, verified: 2 },
        { kind: 'visit', agent: 'claude.ai', path: '/b', hits: 1, verified: 0 },
      ])
      const touched = await columns.query(
        'SELECT DISTINCT site_id, toString(date) AS date FROM traffic_touched',
      )
      expect(touched).toEqual([{ site_id: 'site_1', date: '2026-11-20' }])
      expect(flushed).toBeGreaterThan(0)
      expect(ingest.health()).toEqual({ ok: true })
    },
    { columns: columns.target, flusher: createFlusher, onFlushed: () => void flushed++ },
  )
})
