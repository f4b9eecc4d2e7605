import { join } from 'node:path'

/** What a copy of a data folder contains. */
export interface BackupCheck {
  /** Rows of each record type, and of each table in columns. */
  readonly rows: Readonly<Record<string, number>>
  /** Why it cannot be used. Empty if it can. */
  readonly faults: readonly string[]
}

/** Checks a copy in a process of its own. Throws if that process says nothing. */
export async function checkInProcess(folder: string): Promise<BackupCheck> {
  const command = [
    process.execPath,
    ...process.execArgv,
    join(import.meta.dir, 'check-backup-main.ts'),
    folder,
  ]
  const child = Bun.spawn(command, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (code !== 0) throw new Error(`The check of the backup ended with ${code}: ${error.trim().slice(-500)}`)
  return JSON.parse(out.slice(out.lastIndexOf('\n{') + 1)) as BackupCheck
}
