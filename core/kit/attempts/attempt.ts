import * as v from 'valibot'
import { nullIfConflict } from '../../contracts/errors'
import { field } from '../../contracts/field'
import { isServiceFault } from '../../contracts/service-fault'
import type { StateMachine } from '../../contracts/states'
import { type Where, where } from '../../contracts/where'
import { defineStates, moveState } from '../states'
import type { ShownResult } from './proof'

const outcomes = ['calling', 'published', 'rejected', 'unknown', 'held'] as const
/** How far an attempt is. */
export type AttemptOutcome = (typeof outcomes)[number]

/** The fields of an entity whose rows are attempts at something that must happen at most once, such as a public post. */
export const attemptFields = {
  key: field.text('What the service recognizes the attempt by'),
  started_at: field.instant('When the attempt was written, before the first call'),
  called_at: field.instant('When the last call began'),
  calls: field.integer('Calls with the same key', { min: 1 }),
  outcome: field.oneOf(outcomes, 'How far it is'),
  is_open: field.flag('Whether its outcome is still looked for'),
  looks: field.integer('How often the service was asked whether the result is there', { min: 0 }),
  evidence: v.optional(field.text('What proves the outcome')),
  external_id: v.optional(field.text('Id of the result at the service')),
  external_url: v.optional(field.text('Public address of the result')),
  settled_at: v.optional(field.instant('When the outcome was known')),
  shown_at: v.optional(field.instant('When people could see the result, as far as the service says')),
  platform_state: v.optional(field.text("State of the result in the service's own words")),
  held_since: v.optional(field.instant('When the service was first seen to hold the result back')),
  looked_at: v.optional(field.instant('When the service was last seen to hold the result back')),
  gone_since: v.optional(field.instant('When the service first said that a held result no longer exists')),
  twins: v.optional(
    v.pipe(
      v.array(field.text('Public address, or the id')),
      v.description('Further results with the same words: it was published more than once'),
    ),
  ),
} as const

/** The fields of a stored attempt that the engine needs. */
export interface Attempt {
  readonly id: string
  readonly key: string
  readonly started_at: string
  readonly called_at: string
  readonly calls: number
  readonly outcome: AttemptOutcome
  readonly is_open: boolean
  readonly looks: number
  readonly evidence?: string | undefined
  readonly external_id?: string | undefined
  readonly external_url?: string | undefined
  readonly shown_at?: string | undefined
  readonly platform_state?: string | undefined
  readonly held_since?: string | undefined
  readonly looked_at?: string | undefined
  readonly gone_since?: string | undefined
  readonly twins?: readonly string[] | undefined
}

/** The stored attempts, as `ctx.rows` of their entity. */
export interface AttemptRows<R extends Attempt> {
  get(id: string): Promise<R | null>
  list(query: { readonly where: Where; readonly limit: number }): Promise<readonly R[]>
  update(id: string, changes: Partial<Attempt>): Promise<R | null>
  updateWhere(where: Where, changes: Partial<Attempt>): Promise<R | null>
  updateMany(where: Where, changes: Partial<Attempt>): Promise<number>
  removeWhere(where: Where): Promise<number>
}

/**
 * Declares the outcomes of attempts. An unknown attempt is called again only with the same key, at a service that
 * recognizes it. A held attempt exists at the service, but not everybody sees it. A rejected attempt stays rejected: another
 * attempt is another row.
 */
export const defineAttemptStates = (entity: string): StateMachine<AttemptOutcome> =>
  defineStates({
    entity,
    field: 'outcome',
    initial: ['calling'],
    moves: {
      calling: ['published', 'rejected', 'unknown', 'held'],
      unknown: ['published', 'calling', 'held', 'rejected'],
      held: ['published', 'rejected'],
      published: [],
      rejected: [],
    },
    stamps: { published: 'settled_at', rejected: 'settled_at' },
    needs: {
      published: ['external_id', 'evidence'],
      rejected: ['evidence'],
      held: ['external_id', 'platform_state', 'held_since'],
    },
  })

/** What a failed call proves about its result. */
export type CallOutcome = 'rejected' | 'unknown'

/** Returns what a failed call proves. Only a fault with `delivery` proves that the service did nothing. */
export const outcomeOf = (error: unknown): CallOutcome =>
  isServiceFault(error) && error.delivery !== undefined ? 'rejected' : 'unknown'

/** Returns the key of an attempt: 32 hexadecimal digits from what it is for, its version and its time. */
export const attemptKey = ({
  id,
  revision,
  planned_at,
}: {
  readonly id: string
  readonly revision: number
  readonly planned_at: string
}): string =>
  new Bun.CryptoHasher('sha256').update(`${id} ${revision} ${planned_at}`).digest('hex').slice(0, 32)

/** The fields of an attempt that begins now. Write it before the call. */
export const newAttempt = (key: string, now: Date) => ({
  key,
  started_at: now.toISOString(),
  called_at: now.toISOString(),
  calls: 1,
  looks: 0,
  outcome: 'calling' as const,
  is_open: true,
})

/**
 * Records an attempt before its call. Returns null if there is an open one already: the entity needs a unique index on what the
 * attempt is for, where `is_open`. `earlier` matches open attempts that no longer count, because a person started again.
 */
export async function beginAttempt<R extends Attempt>(
  rows: AttemptRows<R>,
  earlier: Where,
  insert: () => Promise<R>,
): Promise<R | null> {
  await rows.updateMany(where.and(earlier, where.eq('is_open', true)), { is_open: false })
  return insert().catch(nullIfConflict)
}

/** The store of attempts and their states. */
export interface AttemptStore<R extends Attempt> {
  readonly rows: AttemptRows<R>
  readonly states: StateMachine<AttemptOutcome>
  readonly now: Date
}

/** Matches an attempt while no other process moved it or called the service again. */
export const sameAttempt = ({ id, outcome, calls }: Attempt): Where =>
  where.and(where.eq('id', id), where.eq('outcome', outcome), where.eq('calls', calls))

/** Moves an attempt, if its outcome and its calls are still those of the row. Returns null if another process moved it. */
export function moveAttempt<R extends Attempt>(
  { rows, states, now }: AttemptStore<R>,
  row: R,
  to: AttemptOutcome,
  given: Partial<Attempt> = {},
): Promise<R | null> {
  const moved = moveState(states, row.outcome, to, { now, with: given })
  return rows.updateWhere(sameAttempt(row), moved as Partial<Attempt>)
}

/** A result that was proved. */
export interface ProvedResult {
  readonly shown: ShownResult
  /** Public addresses, or ids, of further results with the same words. */
  readonly twins?: readonly string[]
}

/**
 * Records that an attempt succeeded. A proof counts even if another process took over in the meantime. Returns null only if the
 * attempt no longer exists, or somebody has rejected its result.
 */
export async function settleAccepted<R extends Attempt>(
  store: AttemptStore<R>,
  row: R,
  { shown, twins = [] }: ProvedResult,
): Promise<R | null> {
  const { external_id, url, evidence, state } = shown
  const given: Partial<Attempt> = {
    external_id,
    evidence: evidence.slice(0, 500),
    is_open: false,
    shown_at: shownAt(row, shown, store.now),
    ...(url === undefined ? {} : { external_url: url }),
    ...(state === undefined ? {} : { platform_state: state }),
    ...(twins.length === 0 ? {} : { twins }),
  }
  for (let known: R | null = row; known; known = await store.rows.get(row.id)) {
    if (known.outcome === 'published') return withTwin(store, known, { shown, twins })
    if (known.outcome === 'rejected') return null
    const settled = await moveAttempt(store, known, 'published', given)
    if (settled) return settled
  }
  return null
}

/** Adds results that another process did not know when it settled the attempt. */
async function withTwin<R extends Attempt>(
  { rows }: AttemptStore<R>,
  row: R,
  { shown: { external_id, url }, twins = [] }: ProvedResult,
): Promise<R> {
  const own = new Set([row.external_id, row.external_url])
  const all = [...(row.twins ?? []), ...twins, ...(own.has(external_id) ? [] : [url ?? external_id])]
  const others = [...new Set(all)].filter((one) => !own.has(one))
  if (others.length === (row.twins?.length ?? 0)) return row
  return (await rows.update(row.id, { twins: others } as Partial<Attempt>)) ?? row
}

/** Returns when people could see a result: the time of the service, between the last instant at which it was not there and now. */
function shownAt(
  { started_at, looked_at }: Attempt,
  { published_at, created_at }: ShownResult,
  now: Date,
): string {
  const said = Date.parse(published_at ?? created_at ?? '')
  const from = Date.parse(looked_at ?? started_at)
  if (said >= from && said <= now.getTime()) return new Date(said).toISOString()
  const isBefore = looked_at === undefined && said < from
  return isBefore ? started_at : now.toISOString()
}

/** What an attempt says about its result, strongest first. */
const strength: readonly AttemptOutcome[] = ['published', 'held', 'calling', 'unknown', 'rejected']

/**
 * Returns the attempt that decides: one that succeeded, or else one that may have. Never asks which one is the newest, because
 * clocks can go back.
 */
export async function decidingAttempt<R extends Attempt>(
  rows: AttemptRows<R>,
  own: Where,
): Promise<R | null> {
  for (const outcome of strength) {
    const [row] = await rows.list({ where: where.and(own, where.eq('outcome', outcome)), limit: 1 })
    if (row) return row
  }
  return null
}
