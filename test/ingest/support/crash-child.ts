import { writeSync } from 'node:fs'
import { type CountedHit, hitsTable, touchedTable } from '../../../core/contracts/traffic'
import { openColumns } from '../../../core/stores/columns/client'
import { createFlusher } from '../../../ingest/flush/flusher'
import { openJournal } from '../../../ingest/journal/journal'
import { quietLog } from '../../support/quiet-log'
import { passTime } from '../../support/wait-for'

/**
 * A counter to be killed: `bun crash-child.ts <folder> <run>` journals batches for ever and says each one that was
 * acknowledged; with `finish` for the run it flushes what is left and says what stands in ClickHouse.
 */
const [folder = '', run = ''] = process.argv.slice(2)
const target = { path: `${folder}/columns` }
const now = () => new Date()
const say = (line: string) => writeSync(1, `${line}\n`)

const columns = await openColumns(target, { log: quietLog })
await columns.ensure([hitsTable, touchedTable])
const journal = await openJournal({ directory: folder, now, log: quietLog, segmentMsMax: 25 })
const flusher = createFlusher({ directory: folder, target, now, log: quietLog, pollMs: 5 })

if (run === 'finish') {
  await journal.rotate()
  await flusher.drain()
  const rows = await columns.query(
    "SELECT path, toUInt32(sum(hits)) AS n FROM traffic_hits WHERE kind = 'crawl' GROUP BY path",
  )
  const receipts = await columns.query(
    "SELECT path FROM traffic_hits WHERE kind = 'receipt' GROUP BY path, date HAVING sum(hits) > 1",
  )
  await flusher.stop()
  await columns.close()
  say(JSON.stringify({ rows, receipts }))
  process.exit(0)
}

say('ready')
for (let batch = 0; ; batch++) {
  const path = `/${run}-${batch}`
  const hits = Array.from(
    { length: 40 },
    (_, n): CountedHit => ({
      kind: 'crawl',
      site_id: `sit_${n % 3}`,
      date: n % 5 ? '2026-11-20' : '2026-10-31',
      agent: 'GPTBot',
      category: 'training',
      operator: 'OpenAI',
      path,
      verdict: 'unchecked',
      ts: 1_760_000_000_000 + batch,
    }),
  )
  await journal.append({ hits })
  say(`acked ${path}`)
  if (batch % 20 === 19) await passTime(5)
}
