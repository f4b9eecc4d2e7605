import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstLine } from './first-line'

/** A ClickHouse server for tests in a process of its own, empty. */
export async function startClickhouseServer(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'renown-clickhouse-'))
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'clickhouse-front.ts'), '0', folder], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const said = await firstLine(child.stdout)
  const port = /listening (\d+)/.exec(said)?.[1]
  if (!port) throw new Error(`the ClickHouse server for tests did not start: ${said}`)
  return {
    url: `http://127.0.0.1:${port}/renown`,
    async stop() {
      child.kill('SIGTERM')
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
