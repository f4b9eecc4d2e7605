import { defineExtensionPoint, type Extension, type Period, type Rate, type ReadContext } from 'renown'
import * as v from 'valibot'

/** What other plugins count of a page, in this order. Citations are counted by AI visibility itself. */
export const journeyStages = ['crawls', 'visits', 'leads'] as const

/** A page and a period. */
export interface JourneyQuestion {
  /** Path without query, without a slash at its end. */
  readonly path: string
  /** Host of the page in lower case without `www.`. Null for all hosts of the location. */
  readonly domain: string | null
  readonly location_id: string | undefined
  readonly period: Period
}

/** A part of the figures. */
export interface JourneyPart {
  readonly name: string
  /** What the count belongs to: the page alone, or the whole site or location. */
  readonly scope: 'page' | 'site' | 'location'
  readonly count: number
  /** The share whose sender was verified. Null where this is not known. */
  readonly verified: Rate | null
}

/** What a stage counts in a period. */
export interface JourneyFigures {
  readonly scope: JourneyPart['scope']
  readonly total: number
  /** The true number may be higher. */
  readonly is_at_least: boolean
  readonly first_day: string | null
  readonly last_day: string | null
  readonly by: readonly JourneyPart[]
  /** What the figures do not include. */
  readonly notes: readonly string[]
}

/** One stage of the way from a crawl of a page to a lead. */
export interface JourneyStage extends Extension {
  readonly stage: (typeof journeyStages)[number]
  /** Returns null where nothing is measured, such as for a location without a site. */
  read(ctx: ReadContext, asked: JourneyQuestion): Promise<JourneyFigures | null>
}

/** The extension point for stages of `getPageJourney`. */
export const journeyStage = defineExtensionPoint<JourneyStage>({
  id: 'visibility.journey',
  summary: 'Counts what happens to a page beside its citations: crawls, visits or leads',
  isOptional: true,
  shape: { stage: v.picklist(journeyStages), read: v.function() },
})
