import { join } from 'node:path'
import { ownerRows } from '../../../core/contexts/owner'
import { hitsTable, touchedTable } from '../../../core/contracts/traffic'
import { openColumns } from '../../../core/stores/columns/client'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { sha256 } from '../../../ingest/sites/sites'
import { AiTrafficSite } from '../../../plugins/traffic/records/AiTrafficSite'
import { countedFields } from '../../../plugins/traffic/records/dailyRow'
import { dailyTable } from '../../../plugins/traffic/records/dailyTable'
import { sealedColumns } from '../../../plugins/traffic/records/sealedColumns'
import { dayKey, readDays } from '../../../plugins/traffic/sealing/readDays'
import { quietLog } from '../../support/quiet-log'
import { daysOf, mix, siteId, tokenOf, workspaceId } from './mix'

/**
 * Fills a product's stores: `bun seed.ts <data folder> <workspace> <site> <hits> <sites>`. Detail goes in day by day, summed as
 * the flusher sums; daily rows are worked out from it by the code that seals. Prints what both take.
 */
const [folder = '', workspace = '', first = '', hitCount = '0', siteCount = '0'] = process.argv.slice(2)
const hits = Number(hitCount)
const sites = Number(siteCount)
const now = () => new Date()
const days = daysOf(Date.now())
const began = performance.now()

await insertSites()
const store = await openColumns({ path: join(folder, 'columns') }, { log: quietLog })
await store.ensure([hitsTable, touchedTable, dailyTable])
for (const [at, date] of days.entries()) {
  await store.query(daySql(date, at))
  if (at % 10 === 9) say(`${at + 1} of ${days.length} days in detail`)
}
await store.query(`OPTIMIZE TABLE ${hitsTable.name} FINAL`)
say('detail is merged')
const cpu = await sealAll()
await store.query(`OPTIMIZE TABLE ${dailyTable.name} FINAL`)
for (const [what, { name }] of [['detail', hitsTable] as const, ['sealed', dailyTable] as const]) {
  const { rows, bytes } = await sizeOf(name)
  console.log(
    `${what}: ${rows.toLocaleString('en')} rows, ${(bytes / 2 ** 20).toFixed(0)} MiB, ${(bytes / rows).toFixed(1)} B a row, ${(bytes / hits).toFixed(2)} B a hit`,
  )
}
console.log(`sealing took ${((cpu * 1_000) / (sites * days.length)).toFixed(2)} ms of CPU a site and day`)
await store.close()
process.exit(0)

function say(what: string) {
  console.log(`  ${String(Math.round((performance.now() - began) / 1_000)).padStart(5)} s  ${what}`)
}

async function insertSites() {
  const documents = await openSqlite({ path: join(folder, 'documents.sqlite'), now, log: quietLog })
  const rows = ownerRows(documents.collection(AiTrafficSite), AiTrafficSite, { now })
  await rows.insertMany(
    Array.from({ length: sites - 1 }, (_, n) => ({
      id: siteId(n + 1, first),
      workspace_id: workspaceId(n + 1, workspace),
      location_id: `loc_${n}`,
      domain: `site-${n}.example`,
      timezone: 'UTC',
      site_key: `bench${n}`,
      is_active: true,
      count_search_engines: false,
      respect_dnt: true,
      forwarder_token_last4: 'ench',
      forwarder_token_hash: sha256(tokenOf(n + 1, '')),
    })),
  )
  await documents.close()
  say(`${sites.toLocaleString('en')} sites`)
}

/** A day of all sites, drawn by ClickHouse and summed into the rows that segments would have merged into. */
function daySql(date: string, at: number): string {
  const from = Math.floor((hits * at) / days.length)
  const count = Math.floor((hits * (at + 1)) / days.length) - from
  const random = (salt: number) => `(sipHash64(number, ${salt}) / 18446744073709551616.)`
  const uneven = (places: string, salt: number) =>
    `least(${places}, toUInt32(floor(pow(${places} + 1, ${random(salt)})))) - 1`
  const paths = `toUInt32(floor(greatest(${mix.pathsMin}, ${mix.pathsMax} / sqrt(site + 1))))`
  const prefix = siteId(1, '').slice(0, -8)
  const agents = `[${mix.agents.map((agent) => `(${agent.map((word) => `'${word}'`).join(', ')})`).join(', ')}]`
  return `INSERT INTO ${hitsTable.name}
    SELECT 'crawl', if(site = 0, '${first}', concat('${prefix}', leftPad(toString(site), 8, '0'))), toDate('${date}'),
      agent.1, agent.2, agent.3, concat('/blog/posts/', toString(path), '/a-title-of-some-length-', toString(path)),
      count() AS hits, countIf(is_verified) AS verified, 0
    FROM (
      SELECT ${uneven(String(sites), 1)} AS site, ${uneven(paths, 2)} AS path,
        ${agents}[1 + toUInt8(floor(${mix.agents.length} * pow(${random(3)}, 2)))] AS agent, ${random(4)} < 0.6 AS is_verified
      FROM numbers(${from}, ${count})
    )
    GROUP BY site, path, agent`
}

async function sealAll(): Promise<number> {
  const columns = Object.keys(dailyTable.columns) as (keyof typeof dailyTable.columns)[]
  const start = process.cpuUsage()
  for (let rank = 0, atOnce = 1; rank < sites; rank += atOnce) {
    // The biggest sites have a third of all hits: one at a time, they take a gigabyte and not ten.
    atOnce = rank < 50 ? 1 : Math.min(25, sites - rank)
    const ranks = Array.from({ length: atOnce }, (_, n) => rank + n)
    const wanted = ranks.flatMap((each) =>
      days.map((date) => ({ rank: each, site_id: siteId(each, first), date })),
    )
    const facts = await readDays(store, wanted)
    const rows = wanted.flatMap(({ rank: each, ...day }) => {
      const counted = facts.get(dayKey(day))
      if (!counted || counted.agents.length === 0) return []
      const stamp = `${day.date}T23:59:59.999Z`
      const row: Record<keyof typeof dailyTable.columns, unknown> = {
        ...sealedColumns(countedFields(counted)),
        id: dayKey(day),
        ...day,
        workspace_id: workspaceId(each, workspace),
        location_id: `loc_${each}`,
        timezone: 'UTC',
        rev: Date.parse(stamp),
        sealed_at: stamp,
        created_date: stamp,
        updated_date: stamp,
      }
      return [columns.map((column) => row[column])]
    })
    await store.insert(dailyTable.name, columns, rows)
    if ((rank + atOnce) % 500 === 0) say(`${rank + atOnce} of ${sites} sites sealed`)
  }
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

async function sizeOf(table: string) {
  const [size] = await store.query<{ rows: number; bytes: number }>(
    `SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE database = currentDatabase() AND table = '${table}' AND active`,
  )
  return { rows: Number(size?.rows), bytes: Number(size?.bytes) }
}
