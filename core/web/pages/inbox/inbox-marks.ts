import { Refusal } from '../../../contracts/errors'
import type { InboxSource } from '../../../contracts/inbox'
import type { MarkingContext, PageContext } from '../../../contracts/page'
import { where } from '../../../contracts/where'
import type { Phrase } from '../../../contracts/words'
import { dayMs, englishText, isConflict } from '../../../kit'
import type { InboxMark } from '../../../tenancy/inbox/InboxMark'
import { type Kind, keyOf, marksOf, readKind, sourcesOf } from './collect'
import { snoozedUntil } from './snooze'
import { inboxWords } from './words'

type Marking = MarkingContext<typeof InboxMark>

/** A mark expires after a year. If the entry still waits then, it is shown again. */
const keptMs = 365 * dayMs

/** An entry in the state that the person saw. */
interface MarkedEntry {
  readonly entry: string
  readonly state: string
}

/** Reads a kind once for all entries that a person chose. */
const kindOnce = (ctx: PageContext, source: InboxSource): Promise<Kind> =>
  ctx.once(`inbox-kind:${source.name}`, async () => readKind(ctx, source, await marksOf(ctx)))

/**
 * Returns the entry as the person saw it, with its source. Throws if it changed since, or is not in this
 * inbox.
 */
export async function waitingEntry(ctx: PageContext, { entry, state }: MarkedEntry) {
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
export async function markEntry(ctx: Marking, input: MarkedEntry, until?: string): Promise<void> {
  const { entry, state } = input
  await waitingEntry(ctx, input)
  const rows = ctx.marks
  const expire_at = until ?? new Date(ctx.now().getTime() + keptMs).toISOString()
  const fields = { state, until, marked_by: ctx.person.id, expire_at }
  const known = await rows.updateWhere(where.eq('entry', entry), fields)
  if (known) return
  const { until: _, ...done } = fields
  const row = { ...done, ...(until === undefined ? {} : { until }), entry }
  // If two people mark it at the same time, one inserts the row and the other changes it.
  await rows
    .insert(row)
    .catch((error) =>
      isConflict(error) ? rows.updateWhere(where.eq('entry', entry), fields) : Promise.reject(error),
    )
}

/** Marks an entry as done. */
export const markDone = (ctx: Marking, entry: string, state: string): Promise<void> =>
  markEntry(ctx, { entry, state })

/** Snoozes an entry until tomorrow. */
export const markSnoozed = (ctx: Marking, entry: string, state: string): Promise<void> =>
  markEntry(ctx, { entry, state }, snoozedUntil('tomorrow', ctx.workspace.timezone, ctx.now()))

/** Takes a mark back. */
export async function restoreEntry(ctx: Marking, entry: string): Promise<void> {
  await ctx.marks.removeWhere(where.eq('entry', entry))
}
