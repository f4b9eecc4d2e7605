import { defineCommand, field, Refusal, requireRow } from 'renown'
import type { ProposableChange } from 'renown/pages'
import * as v from 'valibot'
import { where } from '../../core/contracts/where'
import { withCore } from '../../core/product/core-plugins'
import { openSqlite } from '../../core/stores/documents/sqlite'
import { changesOf } from '../../core/tenancy/proposals/changes'
import { approveProposal } from '../../core/tenancy/proposals/decide'
import { Proposal } from '../../core/tenancy/proposals/Proposal'
import { startGate } from './harness'
import { Note, notes } from './notes-plugin'
import { quietLog } from './quiet-log'

interface Counting {
  readonly note_id: string
  readonly text?: string | undefined
}

const proposal: ProposableChange<v.GenericSchema<unknown, Counting>> = {
  label: 'Count note',
  takes: ['note_id', 'text'],
  async prepare(ctx, input) {
    const note = await requireRow(ctx.rows(Note), 'note', input.note_id)
    if (note.stage === 'done') throw new Refusal('conflict', 'The note is done.')
    return {
      input,
      basis: String(note.score ?? 0),
      record: { entity: 'Note', id: note.id },
      title: `Count ${note.title}`,
      effect: `Counts the note once more: ${input.text ?? note.title}`,
      href: '/app/inbox',
    }
  },
  async run(ctx, { input: { note_id, text }, basis }) {
    if (text === 'conflict') throw new Refusal('conflict', 'Somebody was faster.')
    if (text === 'fault before') throw new Error('The store failed')
    // Deliberately without a condition, so that a second run would be seen.
    await ctx.rows(Note).update(note_id, { score: Number(basis) + 1 })
    if (text === 'fault after') throw new Error('The store failed')
  },
}

/** A command that agents may propose: it counts a note up, as often as it runs. */
export const countNote = defineCommand({
  name: 'note count',
  summary: 'Count a note',
  input: v.strictObject({
    note_id: field.text('Id of the note'),
    text: v.optional(field.text('What to say')),
    quietly: v.optional(field.flag('Tells nobody')),
  }),
  proposal,
  run: async () => ({}),
})

export const countedNotes = withCore([{ ...notes, commands: [countNote] } as typeof notes])
export const noteChanges = changesOf([countNote])

/** As a process of its own: approves every open proposal, until somebody kills it. Argument: the store. */
if (import.meta.main) {
  const documents = await openSqlite({ path: process.argv[2] ?? '', now: () => new Date(), log: quietLog })
  const { owner } = await startGate({ plugins: countedNotes, documents })
  const open = await owner.rows(Proposal).list({ where: where.eq('state', 'open'), limit: 1_000 })
  for (const { id } of open) {
    await approveProposal(owner, { changes: noteChanges, id, person: 'usr_x' })
    process.stdout.write('.')
  }
}
