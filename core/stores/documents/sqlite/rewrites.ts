import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Log } from '../../../contracts/plugin'
import type { Connection } from './connection'
import { storedFingerprints } from './ddl'
import type { Layout } from './layout'

export interface RewriteOptions {
  /** The file, or `:memory:`. */
  readonly path: string
  readonly log: Log
  /** Returns the free bytes of the file's disk. Tests replace it. */
  readonly freeBytes?: () => number
}

/** Reports how many rows of a table were moved. */
export type RowsMoved = (rows: number) => void

/**
 * Disk space per byte of a rewritten row: it is written to the write-ahead log and then to the file, while the old
 * row still exists.
 */
const bytesPerByte = 6
const mib = 2 ** 20
const reportEveryRows = 50_000

/**
 * Checks the tables that an upgrade must rewrite, before the first change. Logs the required space, and
 * throws if the disk has less. Returns the function that reports progress.
 */
export function prepareRewrites(
  connection: Connection,
  wanted: readonly Layout[],
  { path, log, freeBytes = () => freeBytesAt(path) }: RewriteOptions,
): (layout: Layout) => RowsMoved | undefined {
  const stored = storedFingerprints(connection)
  const rewrites = new Map(
    wanted
      .filter(({ entity, fingerprint }) => (stored.get(entity.name) ?? fingerprint) !== fingerprint)
      .map((layout) => [layout, sizeOf(connection, layout)]),
  )
  const bytes = [...rewrites.values()].reduce((sum, size) => sum + size.bytes, 0) * bytesPerByte
  if (bytes > 0 && path !== ':memory:') {
    const free = freeBytes()
    const needed = Math.ceil(bytes / mib)
    const left = Math.floor(free / mib)
    if (free < bytes)
      throw new Error(
        `This version must rewrite ${path}, which needs up to ${needed} MiB more, and the disk has ${left} MiB free. Nothing was changed. Free that space, or move RENOWN_DATA_DIR to a larger disk, and start again.`,
      )
    const tables = [...rewrites.keys()].map(({ entity }) => entity.name)
    log.info('Rewriting the documents for this version', { tables, needed_mib: needed, free_mib: left })
  }
  return (layout) => {
    const size = rewrites.get(layout)
    return size && ((rows) => report(log, layout, rows, size.rows))
  }
}

function report(log: Log, { entity }: Layout, rows: number, of: number): void {
  if (rows % reportEveryRows === 0 && rows < of)
    log.info('Rewriting the documents', { table: entity.name, rows, of })
}

function sizeOf({ rows }: Connection, { table }: Layout): { readonly rows: number; readonly bytes: number } {
  const [[count, bytes] = []] = rows(
    `SELECT count(*), coalesce(sum(length(CAST(doc AS BLOB)) + coalesce(length(CAST(rest AS BLOB)), 0)), 0) FROM ${table}`,
  )
  return { rows: Number(count), bytes: Number(bytes) }
}

function freeBytesAt(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path))
  return bavail * bsize
}
