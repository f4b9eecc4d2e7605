import { field, type Period, type ReadContext, type Where, where } from 'renown'
import * as v from 'valibot'
import { VisibilityRun } from '../records/VisibilityRun'
import { runsEver, runsOf, type Tracker } from './scope'
import { countriesOf, enginesOf, promptsOf, type Tracked } from './tracked'

/** The reasons why an answer has no figures. */
const emptyReasons = [
  'no_tracker',
  'engine_not_tracked',
  'country_not_tracked',
  'not_asked_yet',
  'paused',
  'no_answers_in_period',
  'not_judged',
] as const
export type EmptyReason = (typeof emptyReasons)[number]

/** What an answer without figures says, as fields of the answer. */
export const emptyFields = {
  empty_because: v.nullable(
    field.oneOf(
      emptyReasons,
      'Why the period has no answers. Null if it has some. paused: the tracker or all its prompts are paused',
    ),
  ),
  tracked: v.optional(
    v.pipe(
      v.object({
        engines: field.codes('Values for `engine`'),
        countries: field.codes('Values for `country`'),
      }),
      v.description('What the trackers ask. Only if empty_because is not null'),
    ),
  ),
}

interface Emptiness {
  readonly empty_because: EmptyReason | null
  readonly tracked?: { engines: string[]; countries: string[] }
}

/** Returns why there are no answers in a period, and what the trackers ask. */
export async function emptiness(
  ctx: ReadContext,
  tracked: Tracked,
  period: Period,
  answers: number,
): Promise<Emptiness> {
  if (answers > 0) return { empty_because: null }
  const engines = enginesOf(tracked.trackers)
  const countries = await countriesOf(ctx, tracked.trackers)
  return {
    empty_because: await reasonOf(ctx, tracked, period),
    tracked: { engines, countries },
  }
}

async function reasonOf(
  ctx: ReadContext,
  { scope, trackers }: Tracked,
  period: Period,
): Promise<EmptyReason> {
  const { engine, country } = scope
  if (trackers.length === 0) return 'no_tracker'
  const asking = trackers.filter(({ engines }) => engine === undefined || engines.includes(engine))
  if (asking.length === 0) return 'engine_not_tracked'
  const countries = await countriesOf(ctx, asking)
  if (country !== undefined && !countries.includes(country)) return 'country_not_tracked'
  const asked = runsOf(ctx, scope, period)
  if (await hasRun(ctx, where.and(asked, where.eq('status', 'not_judged')))) return 'not_judged'
  if (await hasRun(ctx, asked)) return 'no_answers_in_period'
  if (await areAllPaused(ctx, asking)) return 'paused'
  return (await hasRun(ctx, runsEver(scope))) ? 'no_answers_in_period' : 'not_asked_yet'
}

const hasRun = async (ctx: ReadContext, matching: Where) =>
  (await ctx.rows(VisibilityRun).list({ where: matching, limit: 1 })).length > 0

async function areAllPaused(ctx: ReadContext, trackers: readonly Tracker[]): Promise<boolean> {
  const active = trackers.filter(({ is_active }) => is_active)
  if (active.length === 0) return true
  const prompts = await promptsOf(ctx, active)
  return prompts.length > 0 && prompts.every(({ status }) => status === 'paused')
}
