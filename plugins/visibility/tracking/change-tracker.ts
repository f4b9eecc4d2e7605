import { type NewRow, type OwnerContext, type Row, refusedField } from 'renown'
import { findEngine, visibilityEngine } from '../engines/engine'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { domainIn, refuseCollisions } from './brand-fields'
import { requireCostLimit } from './price-notes'

type Tracker = Row<typeof VisibilityTracker>

/** What a person changes about a tracker. A field that is left out stays. Null removes a value. */
export interface TrackerChange {
  readonly name?: string | undefined
  readonly brand_name?: string | undefined
  readonly brand_domain?: string | null | undefined
  readonly brand_aliases?: readonly string[] | undefined
  readonly competitors?:
    | readonly { readonly name: string; readonly domain?: string | undefined }[]
    | undefined
  readonly engines?: readonly string[] | undefined
  readonly provider?: string | undefined
  /** An empty list: each prompt is asked from its own country. */
  readonly countries?: readonly string[] | undefined
  readonly run_frequency_hours?: number | undefined
  readonly usd_per_month?: number | null | undefined
  readonly search_calls_per_day?: number | null | undefined
  /** Null: it asks every day, however sure it is. */
  readonly stop_when?: { readonly half_width: number; readonly min_rounds: number } | null | undefined
}

/** Changes a tracker by the rules of its set-up. Its next questions are planned again at once. */
export async function changeTracker(
  ctx: OwnerContext,
  tracker: Tracker,
  change: TrackerChange,
): Promise<Tracker> {
  const { brand_domain, usd_per_month, search_calls_per_day, stop_when, ...rest } = change
  const competitors = (change.competitors ?? tracker.competitors).map(({ name, domain }) => ({
    name,
    ...(domain ? { domain: domainIn('competitors', domain) } : {}),
  }))
  const next = {
    brand_name: tracker.brand_name,
    brand_aliases: tracker.brand_aliases,
    engines: tracker.engines,
    provider: tracker.provider,
    countries: tracker.countries ?? [],
    ...withoutUndefined(rest),
  }
  refuseCollisions({ brand: { names: [next.brand_name, ...next.brand_aliases] }, competitors })
  if (change.engines || change.provider) requireReachable(ctx, next)
  const budget = budgetOf(tracker, { usd_per_month, search_calls_per_day })
  if (change.engines || change.provider || usd_per_month !== undefined)
    await requireCostLimit(ctx, { engines: next.engines, provider: next.provider, budget })
  const changed = await ctx.rows(VisibilityTracker).update(tracker.id, {
    ...withoutUndefined(rest),
    brand_aliases: [...next.brand_aliases],
    engines: [...next.engines],
    competitors,
    countries: next.countries.length === 0 ? undefined : [...next.countries],
    ...(brand_domain === undefined ? {} : { brand_domain: domainOr(brand_domain) }),
    budget,
    ...(stop_when === undefined ? {} : { stop_when: stop_when ?? undefined }),
    // What it knew may be too little for the new questions, and an engine may work now that did not.
    sure_until: undefined,
    holds: [],
    due_at: ctx.now().toISOString(),
  })
  return changed ?? tracker
}

/** Stops a tracker from asking. Its answers stay. */
export async function pauseAsking(ctx: OwnerContext, tracker: Tracker): Promise<void> {
  await ctx.rows(VisibilityTracker).update(tracker.id, { is_active: false })
}

/** Lets a tracker ask again, from today on, perhaps with another budget. */
export async function resumeAsking(
  ctx: OwnerContext,
  tracker: Tracker,
  change: Pick<TrackerChange, 'usd_per_month'> = {},
): Promise<Tracker> {
  const resumed = await ctx.rows(VisibilityTracker).update(tracker.id, {
    is_active: true,
    due_at: ctx.now().toISOString(),
    sure_until: undefined,
    holds: [],
    budget: budgetOf(tracker, change),
  })
  return resumed ?? tracker
}

const domainOr = (given: string | null) => (given === null ? undefined : domainIn('brand_domain', given))

const withoutUndefined = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** Throws a Refusal if no plugin reaches one of the engines in the chosen way. */
export function requireReachable(
  ctx: Pick<OwnerContext, 'extensions'>,
  { engines, provider }: { readonly engines: readonly string[]; readonly provider: string },
): void {
  const known = ctx.extensions(visibilityEngine)
  const isKnown = (name: string) => findEngine(known, name, provider) !== undefined
  const lost = engines.filter((name) => !isKnown(name))
  if (lost.length === 0) return
  const reachable = [...new Set(known.filter((one) => one.provider === provider).map(({ engine }) => engine))]
  throw refusedField(
    'engines',
    `${lost.join(' and ')} cannot be asked by ${provider}. Accepted: ${reachable.join(', ') || 'none'}.`,
  )
}

type Budget = NonNullable<NewRow<typeof VisibilityTracker>['budget']>

function budgetOf(
  { budget = {} }: Tracker,
  change: Pick<TrackerChange, 'usd_per_month' | 'search_calls_per_day'>,
): Budget | undefined {
  const pick = (given: number | null | undefined, old: number | undefined) =>
    given === undefined ? old : (given ?? undefined)
  const usd_per_month = pick(change.usd_per_month, budget.usd_per_month)
  const search_calls_per_day = pick(change.search_calls_per_day, budget.search_calls_per_day)
  if (usd_per_month === undefined && search_calls_per_day === undefined) return undefined
  return {
    ...(usd_per_month === undefined ? {} : { usd_per_month }),
    ...(search_calls_per_day === undefined ? {} : { search_calls_per_day }),
  }
}
