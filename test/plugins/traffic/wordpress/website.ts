import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram, freePort } from '../../../support/programs'
import { waitFor } from '../../../support/wait-for'

/** What the stand-in of WordPress stores. */
export interface Store {
  options: {
    renown_settings?: Record<string, unknown>
    renown_state?: {
      next: number
      failures: number
      dropped: number
      batch: number
      last: { text: string; ok: boolean } | null
    }
  }
  rows: Record<string, { hit: string; claimed: number }>
  events: Record<string, number>
  table?: string
}

/** The plugin in a stand-in of WordPress, over PHP's own server. */
export interface Website {
  /** Requests a page, or another act of the stand-in. */
  visit(path: string, headers?: Readonly<Record<string, string>>, body?: unknown): Promise<string>
  readonly store: Store
  /** Changes what is stored. */
  change(work: (store: Store) => void): void
  stop(): Promise<void>
}

/** Starts the stand-in in a folder, with more of its environment. */
export async function startWebsite(folder: string, env: Record<string, string> = {}): Promise<Website> {
  const port = await freePort()
  const file = join(folder, 'store.json')
  const plugin = join(import.meta.dir, '../../../../plugins/traffic/wordpress/renown/renown.php')
  const program = findProgram('php')
  if (!program) throw new Error('this machine has no php')
  const child = Bun.spawn([program, '-S', `127.0.0.1:${port}`, join(import.meta.dir, 'stand-in.php')], {
    env: { PATH: process.env.PATH ?? '', STORE: file, PLUGIN: plugin, ...env },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  await waitFor(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    { what: 'PHP' },
  )
  const read = () => JSON.parse(readFileSync(file, 'utf8')) as Store
  return {
    async visit(path, headers = {}, body) {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      return (await fetch(`${url}${path}`, { headers, ...init })).text()
    },
    get store() {
      return read()
    },
    change(work) {
      const store = read()
      work(store)
      writeFileSync(file, JSON.stringify(store))
    },
    async stop() {
      child.kill()
      await child.exited
    },
  }
}
