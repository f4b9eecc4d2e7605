import { createLog } from '../../../core/process/log'
import { openMongo } from '../../../core/stores/documents/mongo'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { Lead } from '../../../plugins/leads/records/Lead'
import { createLeads } from './leads'

/**
 * Puts leads of about 2 KB into a documents store that the product has made: `bun seed.ts <sqlite file | mongodb uri>
 * <workspace> <location> <leads>`. A tenth belongs to the workspace, the rest to nineteen others.
 */
const [target = '', workspace = '', location = '', count = '0'] = process.argv.slice(2)
const now = () => new Date()
const log = createLog('warn', (line) => process.stderr.write(`${line}\n`), now)
const store = target.startsWith('mongodb')
  ? await openMongo({ uri: target, now, log })
  : await openSqlite({ path: target, now, log })
await store.ensure([Lead])
const lead = createLeads()
for (let done = 0; done < Number(count); done += 1000) {
  const { failures } = await store
    .collection(Lead)
    .insertMany(Array.from({ length: 1000 }, (_, at) => mixed(done + at)))
  if (failures.length > 0) throw failures[0]?.error
}
await store.close()
process.exit(0)

function mixed(number: number) {
  const ours = number % 10 === 0
  return lead(number, ours ? workspace : `wsp_${number % 19}`, ours ? location : `loc_${number % 19}`)
}
