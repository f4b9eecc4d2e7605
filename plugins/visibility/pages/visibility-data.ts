import type { IgnoredValue, Period } from 'renown'
import type { Comparison, Estimate } from 'renown/statistics'
import type { Forecast } from '../measure/plan'
import type { EmptyReason } from '../sums/emptiness'
import type { LostTo } from '../sums/lost-answers'
import type { EngineCosts } from '../sums/run-costs'
import type { SourceKind } from '../sums/source-kinds'
import type { TrendUnit } from '../sums/stretches'
import type { TrendPoint } from '../sums/trend'
import type { VisibilityFilters } from './visibility-filters'

/** A rate with its interval, and its change over the cells that both periods have. */
export interface ShownRate {
  readonly rate: Estimate
  readonly change: Comparison
}

/** A value with its label. */
export type Labelled = readonly [value: string, label: string]

/** A tracker as the page names it. */
export interface ShownTracker {
  readonly id: string
  readonly name: string
  readonly brand_name: string
  readonly location_id: string
  readonly is_active: boolean
}

/** An engine of the page. */
export interface EngineLine extends ShownRate {
  readonly engine: string
  readonly label: string
  readonly costs: EngineCosts
  /** Why it is not asked now. Null if it is. */
  readonly trouble: string | null
}

/** k of n answers to one prompt. */
export interface PromptCell {
  readonly k: number
  readonly n: number
}

/** A prompt of the page. */
export interface PromptLine {
  readonly id: string
  readonly text: string
  readonly language: string
  readonly tracker_id: string
  readonly brand_name: string
  readonly is_paused: boolean
  /** It names the brand, so it does not count. */
  readonly is_branded: boolean
  /** One cell for each engine of the page, over all countries. Null: no answer. */
  readonly cells: readonly (PromptCell | null)[]
  readonly rate: Estimate
  /** Looked-at answers that name a competitor and not the brand. */
  readonly lost: number
  readonly lost_to: readonly LostTo[]
  /** The engines with the lowest rates, as words. */
  readonly worst: readonly string[]
}

/** A share k of n with its interval. */
export interface ShownShare {
  readonly k: number
  readonly n: number
  readonly rate: number | null
  readonly ci95: readonly number[] | null
}

/** A brand among those that answers name. */
export interface VoiceLine {
  readonly name: string
  readonly is_brand: boolean
  readonly share: ShownShare
  readonly presence: ShownShare
  readonly avg_position: number | null
  /** Answers that name it and not the brand. */
  readonly won: number
}

/** A source that answers cite. */
export interface SourceLine {
  readonly domain: string
  readonly kind: SourceKind
  readonly cited: ShownShare
  readonly consulted: number
  readonly engines: readonly string[]
  readonly page: string | null
}

/** The certainty and the cost of the figures. */
export interface Certainty {
  readonly costs: EngineCosts
  /** US dollars of this calendar month, of the shown trackers. */
  readonly usd_this_month: number
  readonly usd_per_month: number | null
  readonly stop: {
    readonly half_width: number
    readonly min_rounds: number
    /** Rounds of this month so far. */
    readonly rounds: number
    readonly forecast: Forecast
    /** First day on which it asks again. Null: it has not stopped. */
    readonly sure_until: string | null
  } | null
  readonly last_attempt: { readonly at: string; readonly text: string; readonly is_failed: boolean } | null
  readonly every_days: number | null
}

/** One way to count, on the answers of the period. */
export interface RulerLine {
  readonly name: string
  readonly definition: string
  readonly share: ShownShare
  readonly about: string
}

/** The data of the page. */
export interface VisibilityData {
  readonly filters: VisibilityFilters
  readonly ignored: readonly IgnoredValue[]
  readonly today: string
  readonly period: Period
  readonly previous: Period
  readonly trackers: readonly ShownTracker[]
  /** The one tracker that is shown. Null: several, or none. */
  readonly tracker: ShownTracker | null
  readonly engine_names: readonly Labelled[]
  readonly country_names: readonly Labelled[]
  readonly empty_because: EmptyReason | null
  /** All answers are recorded ones: no assistant was asked. */
  readonly is_recorded: boolean
  readonly may_set_up: boolean
  readonly named: ShownRate
  readonly recommended: ShownRate
  readonly by_tracker: readonly (ShownRate & { readonly tracker: ShownTracker })[]
  readonly by_engine: readonly EngineLine[]
  readonly by_country: readonly (ShownRate & { readonly country: string; readonly label: string })[]
  readonly trend: { readonly unit: TrendUnit; readonly points: readonly TrendPoint[] }
  readonly model_changes: readonly {
    readonly label: string
    readonly from: string
    readonly to: string
    readonly day: string
  }[]
  readonly incidents: readonly {
    readonly label: string
    readonly day: string
    readonly answered: number
    readonly unanswered: number
  }[]
  /** All prompts, also those that the page does not show. A file has them all. */
  readonly prompts: readonly PromptLine[]
  /** How many prompts the page does not show: the last ones. */
  readonly more_prompts: number
  readonly losses: readonly PromptLine[]
  /** How many of the answers of the period were looked at for names and sources: the newest. */
  readonly looked_at: { readonly answers: number; readonly of: number }
  readonly voices: readonly VoiceLine[]
  readonly kinds: readonly { readonly kind: SourceKind; readonly cited: ShownShare }[]
  readonly sources: readonly SourceLine[]
  readonly more_sources: number
  readonly certainty: Certainty
  readonly rulers: readonly RulerLine[]
  readonly api_url: string
}
