import * as v from 'valibot'
import type { RecordsContext } from '../contexts/records'
import type { ReadContext, ReadRows } from '../contracts/context'
import type { Where } from '../contracts/where'
import { EventEntry } from '../events/EventEntry'
import { recordedEvent } from '../events/event-log'
import { eventDays } from '../events/event-sweep'
import { type EventRows, newestEvent } from '../events/newest-event'
import { defineOperation, field, nearest, Refusal, refusedField, where } from '../kit'
import { instantsOf, type PeriodWish, periodInput, periodOf, todayOf } from '../kit/periods'

export const eventsLimit = { default: 100, max: 500 } as const

/** The value of `after` that lists from the oldest event. */
export const fromOldest = 'oldest'

const event = v.object({
  id: field.code('Id of the event. Pass it as `after` to read later events'),
  type: field.code('What happened, such as review.received'),
  occurred_at: field.instant('When it was recorded'),
  location_id: v.optional(field.code('Business location it is about')),
  entity: v.optional(field.code('Record type it is about')),
  entity_id: v.optional(field.code('Id of that record')),
  data: field.anything('Ids and numbers. GET /api/surface describes the data of each type'),
})

/** Lists what happened in a workspace: newest first, or what followed an event, oldest first. */
export const listEvents = defineOperation({
  name: 'listEvents',
  summary: `List what happened in the last ${eventDays} days, newest first. Keep \`next_after\` and pass it as \`after\`: what followed, oldest first, each once`,
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    after: v.optional(field.text(`\`next_after\` of the last answer, or \`${fromOldest}\``)),
    types: v.optional(
      v.pipe(
        v.array(v.string()),
        v.minLength(1),
        v.maxLength(50),
        v.description('Only these'),
        v.examples([['review.received']]),
      ),
    ),
    location_id: v.optional(field.text('Only events about this location')),
    ...periodInput,
    limit: v.optional(
      field.integer(`How many. Default ${eventsLimit.default}`, { min: 1, max: eventsLimit.max }),
      eventsLimit.default,
    ),
    skip: v.optional(
      field.integer('How many of the newest to skip. Not with `after`', { min: 0, max: 10_000 }),
    ),
  }),
  output: v.object({
    events: v.pipe(v.array(event), v.description('Events, newest first. After `after`: oldest first')),
    next_after: v.nullable(
      field.code('Pass it as `after` next time. Null if nothing has happened in the workspace yet'),
    ),
    has_more: field.flag('There are more events now'),
    by_type: v.optional(
      v.pipe(
        v.record(v.string(), field.integer('Events of this type', { min: 1 })),
        v.description(
          'Number of all matching events by type, also of those beyond the list. Not with `after`',
        ),
      ),
    ),
  }),
  async run(ctx, { after, types, location_id, limit, skip, ...wish }) {
    checkTypes(types ?? [], (ctx as RecordsContext).eventTypes)
    if (after !== undefined && skip !== undefined)
      throw refusedField('skip', 'send either skip or after', 'exclusive')
    const days = within(ctx, wish)
    const rows = ctx.rows(EventEntry)
    const last = await newestEvent(rows)
    if (last === undefined && (after === undefined || after === fromOldest))
      return { events: [], next_after: null, has_more: false }
    const from = after === undefined || after === fromOldest ? 0 : await seqOf(rows, after)
    // Events that are recorded during the read are left for the next one, so that a filter cannot skip them.
    const until = last?.seq ?? 0
    const asked = [
      where.gt('seq', from),
      where.lte('seq', until),
      ...(types ? [where.in('type', types)] : []),
      ...(location_id === undefined ? [] : [where.eq('location_id', location_id)]),
      ...days,
    ]
    const isNewestFirst = after === undefined
    const sort = [{ field: 'seq', direction: isNewestFirst ? 'desc' : 'asc' }] as const
    const found = await rows.list({
      where: where.and(...asked),
      sort,
      limit: limit + 1,
      ...(skip === undefined ? {} : { skip }),
    })
    const page = found.slice(0, limit)
    const counts = isNewestFirst ? await countsOf(rows, where.and(...asked)) : undefined
    const has_more = found.length > limit
    // The newest event comes first, so what follows it is new, also if there are more old events.
    const reached = has_more && !isNewestFirst ? page.at(-1)?.id : last?.id
    return {
      events: page.map((row) => {
        const { workspace_id: _, seq: __, ...shown } = recordedEvent(row)
        return shown
      }),
      next_after: reached ?? after ?? null,
      has_more,
      ...(counts === undefined ? {} : { by_type: counts }),
    }
  },
})

async function countsOf(rows: ReadRows<typeof EventEntry>, matching: Where): Promise<Record<string, number>> {
  const groups = await rows.group({ where: matching, by: ['type'], measures: [{ as: 'n', fn: 'count' }] })
  const counts = groups.map(({ type, n }): [string, number] => [String(type), Number(n)])
  return Object.fromEntries(counts.sort(([, a], [, b]) => b - a))
}

/** Returns the condition of the days that were asked for. Without any, all events are listed. */
function within(ctx: Pick<ReadContext, 'workspace' | 'now'>, wish: PeriodWish): Where[] {
  if (Object.values(wish).every((one) => one === undefined)) return []
  const { period } = periodOf(wish, { today: todayOf(ctx), days: eventDays })
  const { from, before } = instantsOf(period, ctx.workspace.timezone)
  return [where.gte('created_date', from), where.lt('created_date', before)]
}

async function seqOf(rows: EventRows, after: string): Promise<number> {
  const row = await rows.get(after)
  if (row) return row.seq
  const message = `no event with this id is in the log, which has the events of ${eventDays} days`
  throw new Refusal(
    'invalid_field',
    `The body of listEvents is invalid: after. There may be events that you missed.`,
    {
      errors: [{ pointer: '/after', code: 'unknown_event', message }],
      hint: `Pass \`${fromOldest}\` as \`after\` to read from the oldest event.`,
    },
  )
}

function checkTypes(types: readonly string[], allowed: readonly string[]) {
  const unknown = types.flatMap((type, at) => (allowed.includes(type) ? [] : [{ type, at }]))
  if (unknown.length === 0) return
  throw new Refusal('invalid_field', 'The body of listEvents is invalid: types.', {
    errors: unknown.map(({ type, at }) => {
      const meant = nearest(type, [...allowed])
      const fault = { pointer: `/types/${at}`, code: 'invalid', message: 'is not a type of events', allowed }
      return meant ? { ...fault, did_you_mean: meant } : fault
    }),
  })
}
