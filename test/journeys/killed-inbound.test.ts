import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openSqlite } from '../../core/stores/documents/sqlite'
import leads from '../../plugins/leads'
import { Mention } from '../../plugins/leads/records/Mention'
import { startGate } from '../support/harness'
import { quietLog } from '../support/quiet-log'

test('a post that got 202 is a mention, although the process is killed at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'renown-inbound-'))
  const path = join(folder, 'documents.sqlite')
  const program = resolve(import.meta.dir, '../plugins/leads/support/inbound-runner.ts')
  const child = Bun.spawn([process.execPath, program, path], { stdout: 'pipe', stderr: 'inherit' })
  try {
    const { value } = await child.stdout.getReader().read()
    const address = new TextDecoder().decode(value).trim()
    const items = [1, 2, 3].map((id) => ({
      id,
      url: `https://blog.example/${id}`,
      title: `Question number ${id}`,
    }))
    const { status } = await fetch(address, {
      method: 'POST',
      body: JSON.stringify(items),
      headers: { 'content-type': 'application/json' },
    })
    child.kill('SIGKILL')
    expect(status).toBe(202)
    await child.exited
    const documents = await openSqlite({ path, now: () => new Date(), log: quietLog })
    const gate = await startGate({ plugins: [leads], documents })
    const stored = await gate.owner.rows(Mention).list()
    expect(stored.map(({ source_id }) => source_id).sort()).toEqual(['inbound 1', 'inbound 2', 'inbound 3'])
    await gate.stop()
    await documents.close()
  } finally {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})
