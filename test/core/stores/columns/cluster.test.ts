import { describe, expect, test } from 'bun:test'
import { hitsTable, touchedTable } from '../../../../core/contracts/traffic'
import { clusterTable } from '../../../../core/stores/columns/cluster'
import { createTables } from '../../../../core/stores/columns/tables'
import { dailyTable } from '../../../../plugins/traffic/records/dailyTable'

const cluster = 'main'
const [own = '', all = ''] = clusterTable(hitsTable, cluster)

describe('a table on a cluster', () => {
  test('holds the rows of its shard in a replicated table, with its engine, key, partition and settings', () => {
    expect(own).toStartWith('CREATE TABLE IF NOT EXISTS `traffic_hits_own` ON CLUSTER `main` (\n')
    expect(own).toContain(
      "ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', (hits, verified, spoofed))\n",
    )
    expect(own).toContain('PARTITION BY toYYYYMM(date)')
    expect(own).toContain('replicated_deduplication_window = 10000')
    expect(own).not.toContain('non_replicated')
  })

  test('is read under its own name over all shards, a site standing on one of them', () => {
    expect(all).toBe(
      'CREATE TABLE IF NOT EXISTS `traffic_hits` ON CLUSTER `main` AS `traffic_hits_own`\n' +
        "ENGINE = Distributed('main', currentDatabase(), 'traffic_hits_own', cityHash64(`site_id`))",
    )
    expect(clusterTable(dailyTable, cluster)[1]).toContain('cityHash64(`site_id`)')
  })

  test('keeps its expiry, and an engine without arguments gets none', () => {
    expect(clusterTable(touchedTable, cluster)[0]).toContain('TTL toDateTime(touched_at) + INTERVAL 400 DAY')
    const plain = { ...touchedTable, engine: 'MergeTree' }
    expect(clusterTable(plain, cluster)[0]).toContain("'{replica}')\n")
    expect(() => clusterTable({ ...touchedTable, engine: 'Memory' }, cluster)).toThrow('cannot be replicated')
  })

  test('gains a column in both tables, and without a cluster nothing names one', async () => {
    const said: string[] = []
    const run = { command: async (sql: string) => said.push(sql), query: async () => [] }
    const table = { name: 't', columns: { id: 'String' }, engine: 'MergeTree', orderBy: ['id'] }
    await createTables([table], run, cluster)
    expect(said.slice(2)).toEqual([
      'ALTER TABLE `t_own` ON CLUSTER `main` ADD COLUMN IF NOT EXISTS `id` String',
      'ALTER TABLE `t` ON CLUSTER `main` ADD COLUMN IF NOT EXISTS `id` String',
    ])
    said.length = 0
    await createTables([table], run)
    expect(said.join()).not.toMatch(/CLUSTER|_own|Distributed|Replicated/)
  })
})
