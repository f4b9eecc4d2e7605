import { openColumns } from '../../../core/stores/columns/client'
import { dailyTable } from '../../../plugins/traffic/records/dailyTable'
import { quietLog } from '../../support/quiet-log'
import { dailyColumns as columns, dailyRow } from './daily-row'

/**
 * Puts 90 daily rows of each of 1,000 sites into columns that the product has made: `bun seed-daily.ts <folder>
 * <workspace> <site>`. Ten sites belong to the workspace, the site among them.
 */
const [path = '', workspace = '', site = ''] = process.argv.slice(2)
const store = await openColumns({ path }, { log: quietLog })
await store.ensure([dailyTable])
for (let first = 0; first < 1000; first += 50) {
  const rows = Array.from({ length: 50 * 90 }, (_, at) => row(first + Math.floor(at / 90), at % 90))
  await store.insert(
    dailyTable.name,
    columns,
    rows.map((each) => columns.map((column) => each[column])),
  )
}
await store.close()
process.exit(0)

function row(number: number, day: number) {
  const site_id = number === 0 ? site : `sit_${number}`
  return dailyRow({ number, day, site_id, workspace_id: number < 10 ? workspace : `wsp_${number % 100}` })
}
