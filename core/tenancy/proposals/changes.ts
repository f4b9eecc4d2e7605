import { isRefusal } from '../../contracts/errors'
import type { AnyCommand } from '../../contracts/plugin'
import type {
  AnyProposableChange,
  ChangeOutcome,
  PreparedChange,
  ProposalReads,
} from '../../contracts/proposal'
import type { ProposalRow } from './Proposal'

/** The plugin of proposals. Its operation reads the settings too. */
export const proposalsPluginName = 'proposals'

/** The code of a fault whose accepted values are names of changes. */
export const unknownChangeCode = 'unknown_change'

/** A command that agents may propose. */
export type ProposableCommand = AnyCommand & { readonly proposal: AnyProposableChange }

/** Commands that agents may propose, by name. */
export type Changes = ReadonlyMap<string, ProposableCommand>

/** Returns the commands that agents may propose. Throws if one takes a field that its input lacks. */
export function changesOf(commands: Iterable<AnyCommand>): Changes {
  const found = [...commands].filter((one): one is ProposableCommand => one.proposal !== undefined)
  for (const { name, input, proposal } of found) {
    const known = Object.keys((input as { entries?: object }).entries ?? {})
    const stray = proposal.takes.find((one) => !known.includes(one))
    if (stray !== undefined)
      throw new Error(`The proposal of \`${name}\` takes ${stray}, which is no field of its input`)
  }
  return new Map(found.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((one) => [one.name, one]))
}

/** Returns the changes with the fields that agents give, such as `lead move (lead_id, stage)`. */
export const changesInWords = (changes: Changes): string =>
  [...changes].map(([name, { proposal }]) => `${name} (${proposal.takes.join(', ')})`).join('; ')

/** Whether a stored proposal can still be carried out, and if not, why. */
export type Judged = { readonly change: PreparedChange<unknown> } | { readonly why: string }

/** Judges a stored proposal against the record as it is now. */
export async function judge(ctx: ProposalReads, changes: Changes, row: ProposalRow): Promise<Judged> {
  const command = changes.get(row.change)
  if (!command) return { why: 'Renown no longer offers this change.' }
  try {
    const change = await command.proposal.prepare(ctx, row.input)
    // What happens can change without the record, such as when a review is flagged. A person approves only what was shown.
    return change.basis === row.basis && change.effect.toWellFormed() === row.effect
      ? { change }
      : { why: 'The record changed after the proposal was made.' }
  } catch (error) {
    if (isRefusal(error) && error.status < 500) return { why: error.message }
    throw error
  }
}

/** Returns how far an approved change is that was queued. Null for every other proposal. */
export async function outcomeOf(
  ctx: ProposalReads,
  changes: Changes,
  { change, state, act, input, record_id }: ProposalRow,
): Promise<ChangeOutcome | null> {
  if (act === undefined || (state !== 'queued' && state !== 'unknown')) return null
  const read = changes.get(change)?.proposal.outcome
  if (read) return read(ctx, { input, act, record: { id: record_id } })
  return { state: 'unknown', why: 'Renown no longer offers this change. Look at the record.' }
}
