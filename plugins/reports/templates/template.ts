import { defineExtensionPoint, type Extension } from 'renown'
import * as v from 'valibot'

/** A kind of report: which sections it has, in which order. */
export interface ReportTemplate extends Extension {
  /** `template` of a report, such as `visibility_report`. */
  readonly template: string
  /** The title of a report, such as `Reputation report`. */
  readonly title: string
  readonly summary: string
  /**
   * Names of sections, in their order. The kind is offered if the first one is loaded. Others that are not loaded are left
   * out.
   */
  readonly sections: readonly string[]
  /** `prospect`: only its plugin offers it, for businesses that the agency pitches to. Default: `client`. */
  readonly about?: 'client' | 'prospect'
}

const words = v.pipe(v.string(), v.minLength(1))

/** The extension point for kinds of reports. */
export const reportTemplate = defineExtensionPoint<ReportTemplate>({
  id: 'reports.template',
  summary: 'A kind of report',
  isOptional: true,
  shape: {
    template: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,59}$/, 'snake_case')),
    title: words,
    summary: words,
    sections: v.pipe(v.array(words), v.minLength(1)),
    about: v.optional(v.picklist(['client', 'prospect'])),
  },
})

/** The kinds of reports in the box. */
export const builtinTemplates: readonly ReportTemplate[] = [
  {
    name: 'monthly-reputation',
    template: 'monthly_reputation_report',
    title: 'Reputation report',
    summary: 'Reviews, replies, mentions, AI visibility, AI traffic and posts of one location',
    sections: ['reviews', 'responses', 'mentions', 'visibility', 'traffic', 'posts'],
  },
  {
    name: 'competitor-comparison',
    template: 'competitor_comparison',
    title: 'Comparison with competitors',
    summary: 'How often AI assistants name a business and its competitors, and its reviews',
    sections: ['competitors', 'visibility', 'reviews'],
  },
  {
    name: 'visibility',
    template: 'visibility_report',
    title: 'AI visibility report',
    summary: 'How often AI assistants name a business, and which sources they cite',
    sections: ['visibility', 'competitors', 'traffic'],
  },
  {
    name: 'ai-traffic',
    template: 'ai_traffic_report',
    title: 'AI traffic report',
    summary: 'Which AI crawlers and AI-referred people visit the websites of a location',
    sections: ['traffic'],
  },
]
