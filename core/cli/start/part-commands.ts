import { join } from 'node:path'
import type { PartName } from '../../supervise/messages'

const mains = {
  gateway: join(import.meta.dir, '../gateway-main.ts'),
  ingest: join(import.meta.dir, '../../../ingest/part-main.ts'),
}

/** The command that starts a process of the product. */
export const partCommand = (part: PartName): string[] => [process.execPath, ...process.execArgv, mains[part]]
