import { Refusal, type Row, refusedField, todayOf } from 'renown'
import { actsOnPage, defineAction, definePage, defineReading, type PageContext } from 'renown/pages'
import * as v from 'valibot'
import { brandedBy } from '../detection/branded'
import { stoppedUntil } from '../records/stopped-until'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { brandName } from './brand-fields'
import { addPrompts, freshSuggestions, promptsOf, removePrompt, setPromptStatus } from './change-prompts'
import { changeTracker } from './change-tracker'
import { type EngineChoice, engineChoices } from './engine-choices'
import { priceNotes } from './price-notes'
import { trackerActs } from './tracker-acts'
import { type TrackerForecast, trackerForecast } from './tracker-forecast'
import { chosenEngines, lastAttempt, type ShownTracker } from './tracking-page'
import {
  competitorLines,
  typedAliases,
  typedCompetitors,
  typedCount,
  typedCountries,
  typedDays,
  typedDollars,
  typedPrompts,
  typedStop,
} from './typed-fields'

/** A prompt in the list. */
export interface ShownPrompt {
  readonly id: string
  readonly text: string
  readonly lang: string
  readonly country: string
  readonly is_active: boolean
  readonly is_branded: boolean
  readonly last_run_at: string | null
}

export interface TrackerData {
  readonly id: string
  readonly name: string
  readonly is_active: boolean
  readonly sure_until: string | null
  readonly last: ShownTracker['last']
  readonly error_samples: readonly string[]
  readonly last_run_at: string | null
  /** The form, filled in. */
  readonly form: Readonly<Record<string, string | readonly string[]>>
  /** Identifies the values of the form, so that nobody overwrites changes that they did not see. */
  readonly seen: string
  readonly prompts: readonly ShownPrompt[]
  readonly forecast: TrackerForecast
  readonly engines: readonly EngineChoice[]
  readonly may_change: boolean
  /** Assistants whose price is not known. */
  readonly unpriced: readonly { readonly label: string; readonly why: string }[]
}

/** Suggested prompts, and what the next 30 days cost without and with them, in US dollars. */
export interface Suggested {
  readonly suggestions: readonly string[]
  readonly usd_now: number
  readonly usd_then: number
}

type Tracker = Row<typeof VisibilityTracker>
const path = '/app/visibility/tracker'

const pointsOf = (rule: { readonly half_width: number } | null | undefined) =>
  rule ? String(Math.round(rule.half_width * 100)) : 'never'

const formOf = (tracker: Tracker): TrackerData['form'] => ({
  name: tracker.name,
  brand_name: tracker.brand_name,
  brand_domain: tracker.brand_domain ?? '',
  aliases: tracker.brand_aliases.join('\n'),
  competitors: competitorLines(tracker.competitors),
  engines: tracker.engines,
  provider: tracker.provider,
  countries: (tracker.countries ?? []).join(', '),
  every_days: String(Math.max(1, Math.round(tracker.run_frequency_hours / 24))),
  usd_per_month: String(tracker.budget?.usd_per_month ?? ''),
  searches_per_day: String(tracker.budget?.search_calls_per_day ?? ''),
  stop_at: pointsOf(tracker.stop_when),
})

const seenOf = (tracker: Tracker): string =>
  new Bun.CryptoHasher('sha256')
    .update(JSON.stringify(formOf(tracker)))
    .digest('hex')
    .slice(0, 32)

/** The forms name the tracker twice: `tracker` chooses the workspace, as for the page, and `id` is what the action gets. */
const id = v.pipe(v.string(), v.maxLength(100))

const ownerAction = { auth: 'session', only: 'owner', refusesDemo: true } as const

const save = defineAction({
  ...ownerAction,
  done: 'The tracker was saved.',
  input: v.strictObject({
    id,
    name: brandName,
    brand_name: brandName,
    aliases: typedAliases,
    competitors: typedCompetitors,
    brand_domain: v.pipe(v.string(), v.trim(), v.maxLength(300, 'at most 300 characters')),
    engines: chosenEngines,
    provider: v.pipe(v.string(), v.maxLength(40)),
    countries: typedCountries,
    every_days: typedDays,
    stop_at: typedStop,
    usd_per_month: typedDollars,
    searches_per_day: typedCount,
    seen: v.optional(v.pipe(v.string(), v.maxLength(64))),
  }),
  async run(ctx, { id, seen, aliases, every_days, stop_at, searches_per_day, brand_domain, ...change }) {
    const tracker = await ownTracker(ctx, id)
    if (seen !== undefined && seen !== seenOf(tracker))
      throw new Refusal('conflict', 'The tracker changed since you opened it. Check it again, then save it.')
    const isSameRule = pointsOf(tracker.stop_when) === pointsOf(stop_at)
    await changeTracker(ctx.owner, tracker, {
      ...change,
      brand_aliases: aliases,
      run_frequency_hours: every_days,
      search_calls_per_day: searches_per_day,
      brand_domain: brand_domain === '' ? null : brand_domain,
      ...(isSameRule ? {} : { stop_when: stop_at }),
    })
  },
})

const add = defineAction({
  ...ownerAction,
  done: 'The prompts were added. They are asked from today on.',
  input: v.strictObject({ id, prompts: typedPrompts }),
  async run(ctx, { id, prompts }) {
    const tracker = await ownTracker(ctx, id)
    if (prompts.length === 0) throw refusedField('prompts', 'Type at least one prompt.')
    const added = await addPrompts(ctx.owner, tracker, prompts)
    if (added.length === 0) throw refusedField('prompts', 'The tracker has these prompts already.')
  },
})

const suggest = defineReading({
  ...ownerAction,
  input: v.strictObject({ id }),
  async run(ctx, input) {
    const tracker = await ownTracker(ctx, input.id)
    const [suggestions, prompts] = await Promise.all([
      freshSuggestions(ctx.system, tracker),
      promptsOf(ctx, tracker.id),
    ])
    const added = suggestions.map((text, place) => ({ id: `new ${place}`, text, status: 'active' as const }))
    const now = await trackerForecast(ctx, ctx.now(), tracker, prompts)
    const then = await trackerForecast(ctx, ctx.now(), tracker, [...prompts, ...added])
    const shown: Suggested = { suggestions, usd_now: now.usd, usd_then: then.usd }
    return { shown }
  },
})

const prompt = defineAction({
  ...ownerAction,
  input: v.strictObject({ id, prompt_id: id, act: v.picklist(['pause', 'resume', 'remove']) }),
  async run(ctx, { id, prompt_id, act }) {
    const tracker = await ownTracker(ctx, id)
    const isDone =
      act === 'remove'
        ? await removePrompt(ctx.owner, tracker, prompt_id)
        : await setPromptStatus(ctx.owner, tracker, prompt_id, act === 'pause' ? 'paused' : 'active')
    if (!isDone) throw new Refusal('not_found', 'The tracker no longer has this prompt.')
    return { to: `${path}?${new URLSearchParams({ tracker: tracker.id, done: `${act}d` })}#prompts` }
  },
})

/** One tracker: what it asks, whom, and for how much. */
export const trackerPage = definePage<typeof VisibilityTracker, TrackerData>({
  path,
  title: 'Tracker',
  module: new URL('./TrackerPage.tsx', import.meta.url),
  isStatic: true,
  record: { entity: VisibilityTracker, param: 'tracker' },
  titleOf: ({ name }) => name,
  async load(ctx, _, { row, mayChange }) {
    const prompts = await promptsOf(ctx, row.id)
    const isBranded = brandedBy(row)
    return {
      id: row.id,
      name: row.name,
      is_active: row.is_active,
      last_run_at: row.last_run_at ?? null,
      sure_until: stoppedUntil(row, todayOf(ctx)),
      last: lastAttempt(row),
      form: formOf(row),
      seen: seenOf(row),
      error_samples: row.last_run_summary?.error_samples ?? [],
      prompts: prompts.map((one) => ({
        id: one.id,
        text: one.text,
        lang: one.language,
        country: one.country,
        is_active: one.status === 'active',
        is_branded: isBranded(one.text),
        last_run_at: one.last_run_at ?? null,
      })),
      forecast: await trackerForecast(ctx, ctx.now(), row, prompts),
      engines: engineChoices(ctx.system),
      may_change: mayChange,
      unpriced: (await priceNotes(ctx.system, row)).map(({ label, why }) => ({ label, why })),
    }
  },
  notices: {
    begun: 'Tracking has begun. Renown asks the first questions today.',
    paused: 'The prompt is paused. Its answers stay and count.',
    resumed: 'The prompt is asked again from today on.',
    removed: 'The prompt was deleted. Its answers stay and no longer count in the headline rate.',
  },
  actions: { ...actsOnPage(trackerActs).actions, save, add, suggest, prompt },
})

async function ownTracker(ctx: PageContext, id: string): Promise<Tracker> {
  const found = await ctx.rows(VisibilityTracker).get(id)
  if (found) return found
  throw new Refusal('not_found', 'This tracker is not in the workspace.')
}
