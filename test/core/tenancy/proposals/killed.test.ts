import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { where } from 'renown'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import { approveProposal } from '../../../../core/tenancy/proposals/decide'
import { Proposal } from '../../../../core/tenancy/proposals/Proposal'
import { proposalSweep } from '../../../../core/tenancy/proposals/proposal-sweep'
import { startGate } from '../../../support/harness'
import { aNote, Note } from '../../../support/notes-plugin'
import { countedNotes, noteChanges } from '../../../support/proposal-process'
import { quietLog } from '../../../support/quiet-log'

const kills = process.env.RENOWN_LONG ? 20 : 1
const perKill = 20

test('a kill during approvals makes no change twice and loses none silently', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'renown-proposals-'))
  const path = join(folder, 'store.sqlite')
  const ahead = { ms: 0 }
  const open = async () => {
    const documents = await openSqlite({ path, now: () => new Date(Date.now() + ahead.ms), log: quietLog })
    return { documents, gate: await startGate({ plugins: countedNotes, documents }) }
  }
  try {
    for (let kill = 0; kill < kills; kill++) {
      const before = await open()
      for (let n = 0; n < perKill; n++) {
        const { id } = await before.gate.put(Note, { ...aNote, title: `${kill} ${n}` })
        const input = { change: 'note count', input: { note_id: id }, reason: 'Due' }
        expect(await (await before.gate.call('proposeChange', input)).json()).toHaveProperty('proposal_id')
      }
      await before.documents.close()
      const child = Bun.spawn(['bun', join(import.meta.dir, '../../../support/proposal-process.ts'), path], {
        stdout: 'pipe',
      })
      const reader = child.stdout.getReader()
      for (let dots = 0; dots < 3 + ((kill * 7) % 20); dots += (await reader.read()).value?.length ?? 99);
      child.kill('SIGKILL')
      await child.exited
      // What the killed process held is free after its time, and the sweep looks after a minute.
      ahead.ms += 10 * 60_000
      const { gate, documents } = await open()
      gate.clock.advance(10 * 60_000)
      await proposalSweep(noteChanges).run(gate.owner, new AbortController().signal)
      const rows = await gate.owner.rows(Proposal).list({ limit: 1_000 })
      expect(rows.filter(({ state }) => state === 'approved')).toEqual([])
      for (const { id } of rows.filter(({ state }) => state === 'open'))
        await approveProposal(gate.owner, { changes: noteChanges, id, person: 'usr_x' })
      const notes = await gate.owner.rows(Note).list({ limit: 1_000 })
      expect(notes.map(({ score }) => score)).toEqual(notes.map(() => 1))
      const left = await gate.owner.rows(Proposal).count(where.in('state', ['done', 'unknown']))
      expect(left).toBe((kill + 1) * perKill)
      await documents.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 120_000)
