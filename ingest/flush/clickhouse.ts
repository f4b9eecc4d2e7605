import { Readable } from 'node:stream'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { type ColumnsTarget, ownTable } from 'renown/contracts'

type Client = ReturnType<typeof createClient>
type Connection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>

/**
 * The flusher's own connection. Settings are in the SQL, because on chDB a setting of one call stays on the
 * connection.
 */
export interface Clickhouse {
  /** Runs an INSERT statement that ends with its FORMAT, with these rows. */
  insert(sql: string, rows: string): Promise<void>
  query<T>(sql: string, params: Record<string, unknown>): Promise<T[]>
  /** Returns the table that accepts a whole block: on a cluster, that of the server's own shard. */
  own(table: string): string
  /** Aborts the running statement if that is safe. Whether it succeeded is then unknown. */
  abort(): void
  close(): Promise<void>
}

const embeddedDatabase = 'renown'

/** Connects to the store that core has prepared. Creates no database and no table. */
export async function connectClickhouse(target: ColumnsTarget, timeoutMs = 30_000): Promise<Clickhouse> {
  const client = 'url' in target ? connectServer(target.url, timeoutMs) : await connectEmbedded(target)
  const giveUp = new AbortController()
  // chDB continues a statement after an abort, and closing the connection during it would end the process.
  const signal = 'url' in target ? { abort_signal: giveUp.signal } : {}
  return {
    own: (table) => ownTable(table, 'url' in target ? target.cluster : undefined),
    async insert(sql, rows) {
      const { stream } = await client.exec({ query: sql, values: Readable.from([rows]), ...signal })
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(Buffer.from(chunk))
      // An INSERT returns nothing. If there is text, it is an error that came after the first byte.
      const said = Buffer.concat(chunks).toString('utf8').trim()
      if (said) throw new Error(said.slice(0, 500))
    },
    async query(sql, params) {
      const result = await client.query({
        query: sql,
        query_params: params,
        format: 'JSONEachRow',
        ...signal,
      })
      return await result.json()
    },
    abort: () => giveUp.abort(),
    close: () => client.close(),
  }
}

function connectServer(url: string, timeoutMs: number): Client {
  const address = new URL(url)
  const database = decodeURIComponent(address.pathname.slice(1)) || 'default'
  address.pathname = '/'
  return createClient({
    url: address,
    database,
    application: 'renown-ingest',
    request_timeout: timeoutMs,
    log: { level: ClickHouseLogLevel.OFF },
  })
}

async function connectEmbedded(target: { path: string; database?: string }): Promise<Client> {
  const { createChdbConnection } = await import('chdb/connection')
  const connection = createChdbConnection({ path: target.path }) as unknown as Connection
  const client = createClient({
    connection,
    application: 'renown-ingest',
    log: { level: ClickHouseLogLevel.OFF },
  })
  try {
    const name = (target.database ?? embeddedDatabase).replace(/[\\`]/g, (sign) => `\\${sign}`)
    await client.command({ query: `USE \`${name}\`` })
    return client
  } catch (error) {
    await client.close()
    throw error
  }
}
