import * as v from 'valibot'
import { Refusal } from '../../../contracts/errors'
import { where } from '../../../contracts/where'
import type { Phrase } from '../../../contracts/words'
import {
  type ActionContext,
  type ActionResult,
  dayMs,
  defineAction,
  englishText,
  isConflict,
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
async function waitingEntry(ctx: ActionContext, { entry, state }: Marking) {
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
async function mark(ctx: ActionContext, input: Marking, until?: string): Promise<ActionResult> {
  const { entry, state } = input
  await waitingEntry(ctx, input)
  const rows = ctx.owner.rows(InboxMark)
  const expire_at = until ?? new Date(ctx.now().getTime() + keptMs).toISOString()
  const fields = { state, until, marked_by: ctx.person.id, expire_at }
  const known = await rows.updateWhere(ofEntry(ctx, entry), fields)
  if (!known) {
    const { until: _, ...done } = fields
    const row = { ...done, ...(until === undefined ? {} : { until }), entry, workspace_id: ctx.workspace.id }
    // If two people mark it at the same time, one inserts the row and the other changes it.
    await rows
      .insert(row)
      .catch((error) =>
        isConflict(error) ? rows.updateWhere(ofEntry(ctx, entry), fields) : Promise.reject(error),
      )
  }
  return back(input, { done: until === undefined ? 'finished' : 'snoozed', undo: entry })
}

/** Runs an action of the entry as the person saw it. */
async function act(
  ctx: ActionContext,
  input: Marking,
  which: 'action' | 'otherAction',
): Promise<ActionResult> {
  const { source, waiting } = await waitingEntry(ctx, input)
  const action = source[which]
  // Checks again, because a person without the button may not run its action.
  const label = (await action?.label(ctx, waiting)) ?? null
  if (!action || label === null) throw conflict(inboxWords('notHere'))
  await action.run(ctx, waiting)
  return back(input, { done: which === 'action' ? 'started' : 'answered' })
}

const ofEntry = ({ workspace }: ActionContext, entry: string) =>
  where.and(where.eq('workspace_id', workspace.id), where.eq('entry', entry))

/** Allowed in a demo too, because marks belong to its workspace and are removed with it. */
const common = { auth: 'session' } as const

/** The actions of the inbox. */
export const inboxActions = {
  done: defineAction({
    ...common,
    input: v.strictObject(marked),
    run: (ctx, input) => mark(ctx, input),
  }),
  snooze: defineAction({
    ...common,
    input: v.strictObject({ ...marked, until: v.picklist(snoozes) }),
    run: (ctx, { until, ...input }) =>
      mark(ctx, input, snoozedUntil(until, ctx.workspace.timezone, ctx.now())),
  }),
  act: defineAction({
    ...common,
    input: v.strictObject(marked),
    run: (ctx, input) => act(ctx, input, 'action'),
  }),
  other: defineAction({
    ...common,
    input: v.strictObject(marked),
    run: (ctx, input) => act(ctx, input, 'otherAction'),
  }),
  undo: defineAction({
    ...common,
    input: v.strictObject({ entry: marked.entry, kind: marked.kind }),
    async run(ctx, { entry, kind }) {
      await ctx.owner.rows(InboxMark).removeWhere(ofEntry(ctx, entry))
      return back({ kind, following: entry }, { done: 'restored' })
    },
  }),
} as const

/** The notices of the inbox, by action. */
export const inboxNotices = {
  started: inboxWords('started'),
  answered: inboxWords('answered'),
  finished: inboxWords('finished'),
  snoozed: inboxWords('snoozed'),
  restored: inboxWords('restored'),
} as const
