import type { Period } from 'renown'
import * as v from 'valibot'
import { type Branding, frozenBranding } from '../branding/branding'
import type { ReportedLocation, SectionData } from '../templates/section'

/** The data of a report without its sections. Each section is stored beside it, under its name. */
export interface ReportFrame {
  readonly workspace: { readonly id: string; readonly name: string; readonly timezone: string }
  readonly agency: { readonly id: string; readonly name: string; readonly branding?: Branding }
  readonly period: Period & { readonly label: string }
  readonly previousPeriod: Period
  readonly business_location: ReportedLocation
  /** 0 to 100. Null if no part of it is known. */
  readonly reputationScore: number | null
  readonly insights: Insights
  /** Names of sections that are missing because their store did not answer for a while. Absent if none is. */
  readonly left_out?: readonly string[]
  /** When the data was collected. RFC 3339. */
  readonly collected_at: string
}

/** What a model or the rules found worth saying. Null if its model call failed, or if no model is configured. */
export interface Insights {
  readonly topThemes: readonly string[] | null
  readonly notableReviews: readonly unknown[] | null
  readonly notableMentions: readonly unknown[] | null
  readonly recommendations: readonly string[] | null
  /** Why there are neither themes nor recommendations. Absent if there are. */
  readonly unknown_because?: string
}

/** The frozen data of a report. */
export type ReportData = ReportFrame & Readonly<Record<string, unknown>>

const words = v.string()
const period = v.looseObject({ date_from: words, date_to: words, days: v.number() })

/** The parts of the frame that every form of a report needs. Reports of older versions may lack the rest. */
export const shownFrame = v.looseObject({
  workspace: v.optional(v.looseObject({ name: v.optional(words) })),
  agency: v.optional(
    v.looseObject({
      id: v.optional(words),
      name: v.optional(words),
      branding: v.fallback(v.optional(frozenBranding), undefined),
    }),
  ),
  period: v.optional(v.looseObject({ ...period.entries, label: v.optional(words) })),
  business_location: v.optional(v.looseObject({ name: v.optional(words) })),
  reputationScore: v.optional(v.nullable(v.number())),
  left_out: v.fallback(v.optional(v.array(words)), undefined),
  insights: v.optional(
    v.looseObject({
      topThemes: v.optional(v.nullable(v.array(words))),
      recommendations: v.optional(v.nullable(v.array(words))),
      unknown_because: v.optional(words),
    }),
  ),
})

/** Returns the frozen data of a section. Undefined if the report does not have it. */
export function sectionDataIn(data: unknown, name: string): SectionData | undefined {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, name)) return undefined
  const found = (data as Readonly<Record<string, unknown>>)[name]
  return typeof found === 'object' && found !== null ? (found as SectionData) : undefined
}
