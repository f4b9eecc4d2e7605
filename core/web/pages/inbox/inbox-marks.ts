import { Refusal } from '../../../contracts/errors'
import type { InboxSource } from '../../../contracts/inbox'
import { where } from '../../../contracts/where'
import type { Phrase } from '../../../contracts/words'
import { type ActionContext, dayMs, englishText, isConflict } from '../../../kit'
import { InboxMark } from '../../../tenancy/inbox/InboxMark'
import { type Kind, keyOf, marksOf, readKind, sourcesOf } from './collect'
import { snoozedUntil } from './snooze'
import { inboxWords } from './words'

/** A mark expires after a year. If the entry still waits then, it is shown again. */
const keptMs = 365 * dayMs

/** An entry in the state that the person saw. */
interface MarkedEntry {
  readonly entry: string
  readonly state: string
}

/** Reads a kind once for all entries that a person chose. */
const kindOnce = (ctx: ActionContext, source: InboxSource): Promise<Kind> =>
  ctx.once(`kind ${source.name} of the inbox`, async () => readKind(ctx, source, await marksOf(ctx)))

/**
 * Returns the entry as the person saw it, with its source. Throws if it changed since, or is not in this
 * inbox.
 */
export async function waitingEntry(ctx: ActionContext, { entry, state }: MarkedEntry) {
  const source = sourcesOf(ctx).find(({ name }) => entry.startsWith(keyOf(name, '')))
  const kind = source ? await kindOnce(ctx, source) : null
  if (kind?.fault) throw conflict(inboxWords('kindUnreadable', { kind: kind.title.text }))
  const waiting = kind?.entries.find(({ key }) => key === entry)
  if (!source || !waiting) throw conflict(inboxWords('notInInbox'))
  if (waiting.state !== state) throw conflict(inboxWords('changedSince'))
  return { source, waiting }
}

/** Returns the refusal of what changed in the meantime. */
export const conflict = (phrase: Phrase) => new Refusal('conflict', englishText(phrase), { phrase })

/** Hides the entry in the state that the person saw. */
export async function markEntry(ctx: ActionContext, input: MarkedEntry, until?: string): Promise<void> {
  const { entry, state } = input
  await waitingEntry(ctx, input)
  const rows = ctx.owner.rows(InboxMark)
  const expire_at = until ?? new Date(ctx.now().getTime() + keptMs).toISOString()
  const fields = { state, until, marked_by: ctx.person.id, expire_at }
  const known = await rows.updateWhere(ofEntry(ctx, entry), fields)
  if (known) return
  const { until: _, ...done } = fields
  const row = { ...done, ...(until === undefined ? {} : { until }), entry, workspace_id: ctx.workspace.id }
  // If two people mark it at the same time, one inserts the row and the other changes it.
  await rows
    .insert(row)
    .catch((error) =>
      isConflict(error) ? rows.updateWhere(ofEntry(ctx, entry), fields) : Promise.reject(error),
    )
}

/** Marks an entry as done. */
export const markDone = (ctx: ActionContext, entry: string, state: string): Promise<void> =>
  markEntry(ctx, { entry, state })

/** Snoozes an entry until tomorrow. */
export const markSnoozed = (ctx: ActionContext, entry: string, state: string): Promise<void> =>
  markEntry(ctx, { entry, state }, snoozedUntil('tomorrow', ctx.workspace.timezone, ctx.now()))

/** Takes a mark back. */
export async function restoreEntry(ctx: ActionContext, entry: string): Promise<void> {
  await ctx.owner.rows(InboxMark).removeWhere(ofEntry(ctx, entry))
}

const ofEntry = ({ workspace }: ActionContext, entry: string) =>
  where.and(where.eq('workspace_id', workspace.id), where.eq('entry', entry))
