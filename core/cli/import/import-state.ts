import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as v from 'valibot'

const tally = v.object({
  lines: v.number(),
  accepted: v.number(),
  ignored: v.number(),
  rejected: v.number(),
  duplicate: v.number(),
})
export type ImportTally = v.InferOutput<typeof tally>

const schema = v.object({
  site_id: v.string(),
  source: v.string(),
  /** Bytes of the text whose hits are stored. */
  offset: v.number(),
  /**
   * Hash of those bytes. The same log under another name continues where it stopped, and another log starts from the
   * beginning.
   */
  prefix: v.string(),
  /** The ends of chunks that were sent later, whether or not they arrived. */
  sent_to: v.array(v.number()),
  tally,
  updated_at: v.string(),
})
export type ImportState = v.InferOutput<typeof schema>

export const emptyTally: ImportTally = { lines: 0, accepted: 0, ignored: 0, rejected: 0, duplicate: 0 }

export interface StateFile {
  read(): ImportState | null
  write(state: ImportState): void
}

/**
 * Returns the file with the progress of importing a log for a site. The log's first line identifies it, so it
 * survives log rotation. `nth` distinguishes logs with the same first line.
 */
export function stateFile(dataFolder: string, siteId: string, firstLine: Uint8Array, nth: number): StateFile {
  const folder = join(resolve(dataFolder), 'imports')
  const digest = new Bun.CryptoHasher('sha256').update(`${siteId}\n`).update(firstLine).digest('hex')
  const path = join(folder, `${digest.slice(0, 32)}-${nth}.json`)
  return {
    read() {
      try {
        return v.parse(schema, JSON.parse(readFileSync(path, 'utf8')))
      } catch {
        return null
      }
    },
    write(state) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 })
      renameSync(`${path}.new`, path)
    },
  }
}
