import * as v from 'valibot'
import { defineForwarding, defineMarking } from '../../../kit'
import { InboxMark } from '../../../tenancy/inbox/InboxMark'
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
    async run(ctx, input) {
      await markEntry(ctx, input)
      return back(input, { done: 'finished', undo: input.entry })
    },
  }),
  snooze: defineMarking({
    ...marking,
    input: v.strictObject({ ...marked, until: v.picklist(snoozes) }),
    async run(ctx, { until, ...input }) {
      await markEntry(ctx, input, snoozedUntil(until, ctx.workspace.timezone, ctx.now()))
      return back(input, { done: 'snoozed', undo: input.entry })
    },
  }),
  act: forwarding('action', 'started'),
  other: forwarding('otherAction', 'answered'),
  undo: defineMarking({
    ...marking,
    input: v.strictObject({ entry: marked.entry, kind: marked.kind }),
    async run(ctx, { entry, kind }) {
      await restoreEntry(ctx, entry)
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
