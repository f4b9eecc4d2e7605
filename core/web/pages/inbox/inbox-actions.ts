import * as v from 'valibot'
import { type ActionContext, type ActionResult, defineAction } from '../../../kit'
import { conflict, markEntry, restoreEntry, waitingEntry } from './inbox-marks'
import { inboxPath } from './load-inbox'
import { snoozedUntil, snoozes } from './snooze'
import { inboxWords } from './words'

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
  const query = new URLSearchParams()
  if (kind !== '') query.set('kind', kind)
  if (following !== '') query.set('entry', following)
  for (const [name, value] of Object.entries(more)) query.set(name, value)
  return { to: `${inboxPath}?${query}` }
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

/** Allowed in a demo too, because marks belong to its workspace and are removed with it. */
const common = { auth: 'session' } as const

/** The actions of the inbox. */
export const inboxActions = {
  done: defineAction({
    ...common,
    input: v.strictObject(marked),
    async run(ctx, input) {
      await markEntry(ctx, input)
      return back(input, { done: 'finished', undo: input.entry })
    },
  }),
  snooze: defineAction({
    ...common,
    input: v.strictObject({ ...marked, until: v.picklist(snoozes) }),
    async run(ctx, { until, ...input }) {
      await markEntry(ctx, input, snoozedUntil(until, ctx.workspace.timezone, ctx.now()))
      return back(input, { done: 'snoozed', undo: input.entry })
    },
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
      await restoreEntry(ctx, entry)
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
