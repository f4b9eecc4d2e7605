import { Refusal, todayOf } from 'renown'
import { actForm, actsOnPage, definePage, defineReading, type PageForm } from 'renown/pages'
import * as v from 'valibot'
import { brandedBy } from '../detection/branded'
import { stoppedUntil } from '../records/stopped-until'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { freshSuggestions, promptsOf } from './change-prompts'
import { editTracker, setUpTracker } from './edit-acts'
import { type EngineChoice, engineChoices } from './engine-choices'
import { priceNotes } from './price-notes'
import { promptActs } from './prompt-acts'
import { trackerActs } from './tracker-acts'
import { formOf, seenOf } from './tracker-choice'
import { type TrackerForecast, trackerForecast } from './tracker-forecast'
import { lastAttempt, type ShownTracker } from './tracking-page'

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

const path = '/app/visibility/tracker'

/** The forms name the tracker twice: `tracker` chooses the workspace, as for the page, and `id` is what the form gets. */
const suggest = defineReading({
  auth: 'session',
  only: 'owner',
  refusesDemo: true,
  input: v.strictObject({ id: v.pipe(v.string(), v.maxLength(100)) }),
  async run(ctx, { id }) {
    const tracker = await ctx.rows(VisibilityTracker).get(id)
    if (!tracker) throw new Refusal('not_found', 'There is no such tracker in this workspace.')
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

const { add, ...promptSwitches } = promptActs
const { actions, notices } = actsOnPage({ ...trackerActs, save: editTracker, add })

/** Goes back to the list of prompts. */
const toPrompts: PageForm = {
  to: ({ id }, done) => `${path}?${new URLSearchParams({ tracker: String(id), done })}#prompts`,
}

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
  notices: { ...notices, ...actsOnPage({ ...promptSwitches, begin: setUpTracker }).notices },
  actions: {
    ...actions,
    suggest,
    'pause-prompt': actForm(promptSwitches['pause-prompt'], 'paused', toPrompts),
    'resume-prompt': actForm(promptSwitches['resume-prompt'], 'resumed', toPrompts),
    'remove-prompt': actForm(promptSwitches['remove-prompt'], 'removed', toPrompts),
  },
})
