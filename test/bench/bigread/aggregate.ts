import { hitsTable, touchedTable } from '../../../core/contracts/traffic'
import { openColumns } from '../../../core/stores/columns/client'
import { countedFields } from '../../../plugins/traffic/records/dailyRow'
import { dailyTable } from '../../../plugins/traffic/records/dailyTable'
import { sealedColumns } from '../../../plugins/traffic/records/sealedColumns'
import { dayKey, readDays } from '../../../plugins/traffic/sealing/readDays'
import { median } from '../../support/cpu'
import { quietLog } from '../../support/quiet-log'
import { daysOf } from './mix'

/**
 * What the same answer costs when it is worked out from the hits as it is asked for: `bun aggregate.ts <columns folder> <site>`
 * prints milliseconds of CPU and of the clock, and whether it says what the sealed rows say.
 */
const [path = '', site = ''] = process.argv.slice(2)
const store = await openColumns({ path }, { log: quietLog })
await store.ensure([hitsTable, touchedTable, dailyTable])
const days = daysOf(Date.now()).map((date) => ({ site_id: site, date }))

async function atQueryTime() {
  const facts = await readDays(store, days)
  return days.flatMap((day) => {
    const counted = facts.get(dayKey(day))
    return counted ? [{ date: day.date, ...sealedColumns(countedFields(counted)) }] : []
  })
}

const rows = await atQueryTime()
const sealed = await store.query<{ date: string; top_paths: string; by_agent: string }>(
  `SELECT toString(date) AS date, top_paths, by_agent FROM ${dailyTable.name} FINAL WHERE site_id = {site:String}`,
  { site },
)
const standing = new Map(sealed.map((row) => [row.date, row]))
const same = rows.filter((row) => {
  const other = standing.get(row.date)
  return other?.top_paths === row.top_paths && other.by_agent === row.by_agent
}).length
const cpus: number[] = []
const walls: number[] = []
for (let round = 0; round < 7; round++) {
  const start = process.cpuUsage()
  const began = performance.now()
  await atQueryTime()
  const { user, system } = process.cpuUsage(start)
  cpus.push((user + system) / 1_000)
  walls.push(performance.now() - began)
}
console.log(JSON.stringify({ cpuMs: median(cpus), wallMs: median(walls), days: rows.length, same }))
await store.close()
process.exit(0)
