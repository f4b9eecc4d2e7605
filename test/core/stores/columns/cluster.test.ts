import { describe, expect, test } from 'bun:test'
import { hitsTable, touchedTable } from '../../../../core/contracts/traffic'
import { removeRows } from '../../../../core/stores/columns/client'
import { clusterTable } from '../../../../core/stores/columns/cluster'
import type { ColumnsStore } from '../../../../core/stores/columns/port'
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

describe('rows that are removed', () => {
  /** A store whose first looks find rows. Returns what it was told. */
  async function removing(looksThatFind: number, cluster?: string) {
    const said: string[] = []
    let looks = 0
    const query = async () => (++looks <= looksThatFind ? [{ 1: 1 }] : [])
    const run = {
      query: query as ColumnsStore['query'],
      command: async (sql: string) => said.push(sql),
      cluster,
    }
    const error = await removeRows(run, 't', 'site_id', ['a', 'b']).then(
      () => null,
      (error) => error,
    )
    return { said, looks, error }
  }

  test('are waited for on one server', async () => {
    const { said, looks } = await removing(9)
    expect(said).toEqual(["ALTER TABLE `t` DELETE WHERE `site_id` IN ('a', 'b') SETTINGS mutations_sync = 2"])
    expect(looks).toBe(1)
  })

  test('on a cluster are not waited for where a replica is absent, and looked for on the others', async () => {
    const { said, looks, error } = await removing(2, 'main')
    expect(error).toBeNull()
    expect(said).toEqual([
      "ALTER TABLE `t_own` ON CLUSTER `main` DELETE WHERE `site_id` IN ('a', 'b') SETTINGS mutations_sync = 1, distributed_ddl_task_timeout = 10, distributed_ddl_output_mode = 'null_status_on_timeout'",
    ])
    expect(looks).toBe(3)
  })

  test('that are not there cost no statement', async () => {
    expect(await removing(0, 'main')).toMatchObject({ said: [], looks: 1, error: null })
  })
})
