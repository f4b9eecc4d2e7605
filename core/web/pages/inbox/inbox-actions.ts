import * as v from 'valibot'
import { Refusal } from '../../../contracts/errors'
import { where } from '../../../contracts/where'
import type { Phrase } from '../../../contracts/words'
import {
  type ActionResult,
  dayMs,
  defineForwarding,
  defineMarking,
  englishText,
  isConflict,
  type MarkingContext,
  type PageContext,
} from '../../../kit'
import { InboxMark } from '../../../tenancy/inbox/InboxMark'
import { keyOf, marksOf, readKind, sourcesOf } from './collect'
import { addressOf } from './load-inbox'
import { snoozedUntil, snoozes } from './snooze'
import { inboxWords } from './words'

/** A mark expires after a year. If the entry still waits then, it is shown again. */
const keptMs = 365 * dayMs

const text = (max: number) => v.optional(v.pipe(v.string(), v.maxLength(max)), '')
const marked = {
  entry: v.pipe(v.string(), v.minLength(1), v.maxLength(150)),
  state: v.pipe(v.string(), v.maxLength(200)),
  kind: text(40),
  following: text(150),
}

interface Marking {
  readonly entry: string
  readonly state: string
  readonly kind: string
  readonly following: string
}

const back = ({ kind, following }: Pick<Marking, 'kind' | 'following'>, more: Record<string, string>) => {
  const address = addressOf({ kind, entry: following, page: 1 })
  return { to: `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(more)}` }
}

/**
 * Returns the entry as the person saw it, with its source. Throws if it changed since, or is not in this
 * inbox.
 */
async function waitingEntry(ctx: PageContext, { entry, state }: Marking) {
  const source = sourcesOf(ctx).find(({ name }) => entry.startsWith(keyOf(name, '')))
  const kind = source ? await readKind(ctx, source, await marksOf(ctx)) : null
  if (kind?.fault) throw conflict(inboxWords('kindUnreadable', { kind: kind.title.text }))
  const waiting = kind?.entries.find(({ key }) => key === entry)
  if (!source || !waiting) throw conflict(inboxWords('notInInbox'))
  if (waiting.state !== state) throw conflict(inboxWords('changedSince'))
  return { source, waiting }
}

const conflict = (phrase: Phrase) => new Refusal('conflict', englishText(phrase), { phrase })

/** Hides the entry in the state that the person saw. */
async function mark(
  ctx: MarkingContext<typeof InboxMark>,
  input: Marking,
  until?: string,
): Promise<ActionResult> {
  const { entry, state } = input
  await waitingEntry(ctx, input)
  const { marks } = ctx
  const expire_at = until ?? new Date(ctx.now().getTime() + keptMs).toISOString()
  const fields = { state, until, marked_by: ctx.person.id, expire_at }
  const known = await marks.updateWhere(where.eq('entry', entry), fields)
  if (!known) {
    const { until: _, ...done } = fields
    const row = { ...done, ...(until === undefined ? {} : { until }), entry }
    // If two people mark it at the same time, one inserts the row and the other changes it.
    await marks
      .insert(row)
      .catch((error) =>
        isConflict(error) ? marks.updateWhere(where.eq('entry', entry), fields) : Promise.reject(error),
      )
  }
  return back(input, { done: until === undefined ? 'finished' : 'snoozed', undo: entry })
}

/** Allowed in a demo too, because marks belong to its workspace and are removed with it. */
const common = { auth: 'session' } as const
const marking = { ...common, marks: InboxMark } as const

/** Returns a form that does what the source of the entry declares, if the entry is as the person saw it. */
const forwarding = (which: 'action' | 'otherAction', done: 'started' | 'answered') =>
  defineForwarding({
    ...common,
    input: v.strictObject(marked),
    async find(ctx, input) {
      const { source, waiting } = await waitingEntry(ctx, input)
      const action = source[which]
      // Checks again, because a person without the button may not run its action.
      const label = (await action?.label(ctx, waiting)) ?? null
      if (!action || label === null) throw conflict(inboxWords('notHere'))
      return { run: (full) => action.run(full, waiting), after: back(input, { done }) }
    },
  })

/** The actions of the inbox. */
export const inboxActions = {
  done: defineMarking({
    ...marking,
    input: v.strictObject(marked),
    run: (ctx, input) => mark(ctx, input),
  }),
  snooze: defineMarking({
    ...marking,
    input: v.strictObject({ ...marked, until: v.picklist(snoozes) }),
    run: (ctx, { until, ...input }) =>
      mark(ctx, input, snoozedUntil(until, ctx.workspace.timezone, ctx.now())),
  }),
  act: forwarding('action', 'started'),
  other: forwarding('otherAction', 'answered'),
  undo: defineMarking({
    ...marking,
    input: v.strictObject({ entry: marked.entry, kind: marked.kind }),
    async run(ctx, { entry, kind }) {
      await ctx.marks.removeWhere(where.eq('entry', entry))
      return back({ kind, following: entry }, { done: 'restored' })
    },
  }),
}

/** The notices of the inbox, by action. */
export const inboxNotices = {
  started: inboxWords('started'),
  answered: inboxWords('answered'),
  finished: inboxWords('finished'),
  snoozed: inboxWords('snoozed'),
  restored: inboxWords('restored'),
} as const
