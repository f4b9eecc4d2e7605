import { defineExtensionPoint, type Extension, type Period, type ReadContext } from 'renown'
import * as v from 'valibot'
import type { Block, Definition, Figure, QuotedText } from '../blocks/block'

/** The location of a report, as it was when its data was collected. */
export interface ReportedLocation {
  readonly id: string
  readonly name: string
  readonly city?: string
  readonly country?: string
  readonly website?: string
}

/** What a section collects data for. */
export interface ReportScope {
  readonly location: ReportedLocation
  /** Days in the time zone of the workspace, both inclusive. */
  readonly period: Period
  /** The period of the same length before it. */
  readonly previous: Period
  /** IANA time zone of the workspace. */
  readonly timezone: string
}

/** What a section reads with: the reads of one workspace. */
export interface SectionContext {
  readonly reads: ReadContext
  readonly signal: AbortSignal
  now(): Date
  /** Returns what the first call with this key reads. Sections that need the same read it once. */
  once<T>(key: string, read: () => Promise<T>): Promise<T>
}

/** Plain JSON. */
export type SectionData = Readonly<Record<string, unknown>>

/** A part of `reputationScore`. */
export interface ScorePart {
  /** 0 is worst, 100 is best. */
  readonly value: number
  /** How much it counts beside other parts. */
  readonly weight: number
}

/**
 * A part of reports about one domain. Its data is collected once and frozen. Its blocks are made from that data alone,
 * so that every form of a report shows the same.
 */
export interface ReportSection<Data extends SectionData = SectionData> extends Extension {
  /** The heading. */
  readonly title: string
  /** The definitions of its figures. */
  readonly definitions: readonly Definition[]
  /** The shape of its data. Frozen data that no longer fits is not shown, and the report says so. */
  readonly data: v.GenericSchema<unknown, Data>
  /**
   * Reads the data. Null if the location does not use the domain: the report then leaves the section out. Throw if the
   * data cannot be read: the report is tried again.
   */
  collect(ctx: SectionContext, scope: ReportScope): Promise<Data | null>
  /** Returns the most important figures, at most 3, for the top of the report. */
  headline?(data: Data): readonly Figure[]
  /** Returns its part of `reputationScore`. Null if unknown. */
  score?(data: Data): ScorePart | null
  /** Returns the texts of strangers that are worth reading, at most 5. */
  notable?(data: Data): readonly QuotedText[]
  /** Returns the blocks in their order. Must not read anything but its arguments. */
  blocks(data: Data): readonly Block[]
}

/** The extension point for parts of reports. The name of a section is its key in `report_data`. */
// biome-ignore lint/suspicious/noExplicitAny: each section has data of its own
export const reportSection = defineExtensionPoint<ReportSection<any>>({
  id: 'reports.section',
  summary: 'A part of reports about one domain',
  isOptional: true,
  shape: {
    title: v.pipe(v.string(), v.minLength(1)),
    definitions: v.array(v.looseObject({ id: v.string(), name: v.string(), text: v.string() })),
    collect: v.function(),
    headline: v.optional(v.function()),
    score: v.optional(v.function()),
    notable: v.optional(v.function()),
    blocks: v.function(),
  },
})
