import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { Log, TableDeclaration } from '../../contracts/plugin'
import { type ColumnsTarget, ownTable } from '../../contracts/traffic'
import { quoteName, quoteText } from '../../query/clickhouse-text'
import { clusterSettings, removalSettings } from './cluster'
import { onCluster } from './ddl'
import { explainChdb, isAwayError, toColumnsError } from './errors'
import { removeWhere, replaceTexts } from './mutate'
import { type ColumnsStore, UnavailableError } from './port'
import { alwaysPresent, createPresence, type Presence } from './presence'
import { type Client, createReadPool, type ReadOptions } from './read-pool'
import { type EmbeddedFiles, snapshotTables } from './snapshot'
import { createTables } from './tables'
import { createWriteCounts } from './write-counts'

type Connection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>

/** The database inside the embedded engine, unless a target names another. */
const embeddedDatabase = 'renown'
const requestTimeoutMs = 30_000
const embeddedReaders = 3

/**
 * Settings of every connection. Settings of single calls are in their SQL, because chDB keeps them for later
 * calls.
 */
const settled = {
  output_format_json_quote_64bit_integers: 0,
  output_format_json_escape_forward_slashes: 0,
  date_time_input_format: 'best_effort',
  // An import of old logs may have a hundred months in one insert.
  max_partitions_per_insert_block: '0',
} as const

/**
 * Opens ClickHouse by URL, or chDB in this process, and creates the database. Throws UnavailableError if the
 * server is down. Other errors say what to fix.
 */
export async function openColumns(target: ColumnsTarget, deps: { log: Log }): Promise<ColumnsStore> {
  const roles =
    'url' in target
      ? await connectServer(target.url, target.cluster)
      : await connectEmbedded(target.path, target.database)
  deps.log.debug('columns opened', { kind: roles.kind })
  return store(roles)
}

/** A chDB client runs statements one after another, so reads use separate clients. */
interface Roles {
  readonly kind: ColumnsStore['kind']
  readonly where: string
  readonly readers: readonly Client[]
  readonly writer: Client
  /** Opens one more reader. */
  openReader(): Promise<Client>
  readonly presence: Presence
  readonly cluster?: string
  /** The files of an embedded engine. */
  readonly files?: EmbeddedFiles
}

function store(roles: Roles): ColumnsStore {
  const { kind, where, readers, writer, openReader, presence, cluster, files } = roles
  const further: Client[] = []
  const openFurther = async () => {
    const client = await openReader()
    further.push(client)
    return client
  }
  const declared = new Map<string, TableDeclaration>()
  const writes = createWriteCounts()
  const underWay = new Set<Promise<unknown>>()
  let closed = false
  const track = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closed) throw new Error('The columns store is closed')
    const promise = work()
    underWay.add(promise)
    try {
      return await promise
    } catch (error) {
      throw toColumnsError(error, where)
    } finally {
      underWay.delete(promise)
    }
  }
  const pool = createReadPool(kind, readers, openFurther, presence)
  const read = <T>(work: (reader: Client, options: ReadOptions) => Promise<T>, isRepeatable?: boolean) =>
    track(() => pool.run(work, isRepeatable))
  const command = (query: string) => track(() => writer.command({ query }))
  const query: ColumnsStore['query'] = (sql, params) =>
    read(
      async (reader, options) => {
        const asked = { query: sql, ...parameters(params), ...options }
        const result = await reader.query({ ...asked, format: 'JSONEachRow' })
        return await result.json()
      },
      /^\s*(SELECT|WITH)\b/i.test(sql),
    )
  return {
    kind,
    query,
    text: (sql, params) =>
      read(async (reader, options) => {
        const { stream } = await reader.exec({ query: sql, ...parameters(params), ...options })
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(Buffer.from(chunk))
        return Buffer.concat(chunks).toString('utf8')
      }),
    insert: async (table, columns, rows) => {
      const [first, ...rest] = columns.map(quoteName)
      if (!first || rows.length === 0) return
      const insert = () =>
        writer.insert({
          table: quoteName(table),
          columns: [first, ...rest],
          values: rows as unknown[][],
          format: 'JSONCompactEachRow',
        })
      await writes.around(insertedRows(table, columns, rows), () => track(insert))
    },
    remove: (table, ...what) =>
      writes.around({ table }, () => removeRows({ query, command, cluster }, table, ...what)),
    removeWhere: (table, ...what) =>
      writes.around({ table }, () => removeWhere({ command, cluster }, table, ...what)),
    replace: (table, ...what) =>
      writes.around({ table }, () => replaceTexts({ command, cluster }, table, ...what)),
    written: (table, workspaces) => {
      // Only this process has the files of the embedded engine open.
      const isOurs = kind === 'chdb' && declared.has(table) && declared.get(table)?.ttl === undefined
      return isOurs ? writes.of(table, workspaces) : undefined
    },
    ensure: async (tables) => {
      await createTables(tables, { query, command }, cluster)
      for (const table of tables) declared.set(table.name, table)
    },
    own: (table) => ownTable(table, cluster),
    declared: (table) => declared.get(table),
    snapshot: async (to, tables) => {
      if (!files) throw new Error(`${where} is a server. Use its own BACKUP.`)
      await snapshotTables({ query, command }, files, to, tables)
    },
    ping: () =>
      read(async (reader) => {
        const answer = await reader.ping({ select: true })
        if (!answer.success) throw answer.error
      }),
    load: pool.load,
    close: async () => {
      if (closed) return
      closed = true
      presence.close()
      // Closing chDB during a statement would end the process.
      await Promise.allSettled([...underWay])
      await Promise.allSettled([...readers, ...further, writer].map((client) => client.close()))
    },
  }
}

/** Returns whose rows an insert writes. */
function insertedRows(table: string, columns: readonly string[], rows: readonly (readonly unknown[])[]) {
  const place = columns.indexOf('workspace_id')
  return place < 0 ? { table } : { table, workspaces: rows.map((row) => String(row[place])) }
}

/** How long a shard may still work on a removal after the statement has returned, and how often it is asked. */
const removingMs = 10_000
const removingEveryMs = 500

/**
 * Removes rows, if there are any. A mutation rewrites every part of a table even if it matches nothing. On a cluster it looks
 * whether they are gone, because a statement for all servers returns before all have done it. If not, callers try again.
 */
export async function removeRows(
  run: Pick<ColumnsStore, 'query'> & {
    command(sql: string): Promise<unknown>
    readonly cluster: string | undefined
  },
  table: string,
  column: string,
  values: readonly string[],
): Promise<void> {
  if (values.length === 0) return
  const condition = `${quoteName(column)} IN (${values.map(quoteText).join(', ')})`
  const isThere = async () =>
    (await run.query(`SELECT 1 FROM ${quoteName(table)} WHERE ${condition} LIMIT 1`)).length > 0
  if (!(await isThere())) return
  const own = `${quoteName(ownTable(table, run.cluster))}${onCluster(run.cluster)}`
  await run.command(`ALTER TABLE ${own} DELETE WHERE ${condition} SETTINGS ${removalSettings(run.cluster)}`)
  if (run.cluster === undefined) return
  const until = performance.now() + removingMs
  while (await isThere()) {
    if (performance.now() > until)
      throw new UnavailableError(`The cluster is still removing rows of ${table}`, { isBusy: true })
    await Bun.sleep(removingEveryMs)
  }
}

const parameters = (params: Record<string, unknown> | undefined) => (params ? { query_params: params } : {})

async function connectServer(url: string, cluster?: string): Promise<Roles> {
  const address = new URL(url)
  const database = decodeURIComponent(address.pathname.slice(1)) || 'default'
  address.pathname = '/'
  const { host } = address
  const connect = (into: string) =>
    createClient({
      url: address,
      database: into,
      application: 'renown',
      request_timeout: requestTimeoutMs,
      use_multipart_params_auto: true,
      clickhouse_settings: cluster ? { ...settled, ...clusterSettings } : settled,
      log: { level: ClickHouseLogLevel.OFF },
    })
  const where = `ClickHouse at ${host}`
  if (database !== 'default') await createDatabase(connect('default'), database, where, cluster)
  const reader = connect(database)
  const writer = connect(database)
  const roles: Roles = {
    kind: 'clickhouse',
    where,
    readers: [reader],
    writer,
    openReader: async () => connect(database),
    presence: createPresence(where, probeOf(address, where)),
    ...(cluster ? { cluster } : {}),
  }
  const answer = await reader.ping({ select: true })
  if (answer.success) return roles
  await Promise.allSettled([reader.close(), roles.writer.close()])
  throw toColumnsError(answer.error, where)
}

/** Returns the probe of a server. It has connections of its own, because those of reads may all be waiting. */
function probeOf(address: URL, where: string) {
  const url = new URL(address)
  // The address of the probe needs no user.
  url.username = ''
  url.password = ''
  return async (abort_signal: AbortSignal) => {
    const prober = createClient({
      url,
      request_timeout: requestTimeoutMs,
      keep_alive: { enabled: false },
      log: { level: ClickHouseLogLevel.OFF },
    })
    try {
      const answer = await prober.ping({ select: false, abort_signal })
      // A server that refuses is there.
      return answer.success || !isAwayError(answer.error, where)
    } finally {
      void prober.close()
    }
  }
}

/** Creates the database, if the user may. */
async function createDatabase(client: Client, database: string, where: string, cluster?: string) {
  try {
    await client.command({
      query: `CREATE DATABASE IF NOT EXISTS ${quoteName(database)}${onCluster(cluster)}`,
    })
  } catch (error) {
    if ((error as { code?: string }).code !== '497') throw toColumnsError(error, where)
  } finally {
    await client.close()
  }
}

async function connectEmbedded(path: string, database = embeddedDatabase): Promise<Roles> {
  const where = `The embedded ClickHouse in ${path}`
  const open = await loadChdb(path)
  const connect = async () => {
    const client = createClient({
      connection: open(),
      application: 'renown',
      log: { level: ClickHouseLogLevel.OFF },
    })
    await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${quoteName(database)}` })
    await client.command({ query: `USE ${quoteName(database)}` })
    for (const [name, value] of Object.entries(settled)) {
      await client.command({ query: `SET ${name} = ${typeof value === 'number' ? value : `'${value}'`}` })
    }
    return client
  }
  try {
    const readers: Client[] = []
    while (readers.length < embeddedReaders) readers.push(await connect())
    return {
      kind: 'chdb',
      where,
      readers,
      writer: await connect(),
      openReader: connect,
      presence: alwaysPresent,
      files: { path, database },
    }
  } catch (error) {
    throw toColumnsError(error, where)
  }
}

/** Loads chDB on first use, because it is an optional dependency. */
async function loadChdb(path: string) {
  try {
    const { createChdbConnection } = await import('chdb/connection')
    return () => {
      try {
        // Casts between two copies of one interface: chDB uses that of @clickhouse/client-common.
        return createChdbConnection({ path }) as unknown as Connection
      } catch (error) {
        throw explainChdb(error, path)
      }
    }
  } catch (error) {
    throw explainChdb(error, path)
  }
}
