import type { Extensions } from 'renown'
import * as v from 'valibot'
import {
  type Block,
  block,
  type Definition,
  type Figure,
  type ReportTree,
  type TreeSection,
} from '../blocks/block'
import { cutText } from '../blocks/texts'
import type { Branding, frozenBranding } from '../branding/branding'
import { reportSection } from '../templates/section'
import type { ReportTemplate } from '../templates/template'
import { templatesOf } from '../templates/templates'
import { hashOf } from './canonical'
import { sectionDataIn, shownFrame } from './report-data'

type Ctx = { readonly extensions: Extensions }

/** The parts of a stored report that its tree is made of. */
export interface TreeSource {
  readonly template: string
  readonly period_start: string
  readonly period_end: string
  readonly period_label?: string | null | undefined
  readonly report_data?: unknown
  /** The paragraph that a person wrote. */
  readonly paragraph?: string | undefined
}

const scoreDefinition: Definition = {
  id: 'reputation_score@1',
  name: 'Reputation score',
  text: 'The weighted mean of the known parts from 0 to 100: average rating of the period (weight 3), share of reviews with a reply (weight 1), and share of mentions that are not negative (weight 1). Unknown parts are left out.',
}

const blocks = v.array(block)

/** Makes the tree of a report from its frozen data. It reads nothing else, so every form of a report shows the same. */
export function treeOf(ctx: Ctx, report: TreeSource): ReportTree {
  const frame = v.safeParse(shownFrame, report.report_data)
  const known = frame.success ? frame.output : {}
  const template = templatesOf(ctx).find((one) => one.template === report.template)
  const { branding: brand, id: agency_id } = known.agency ?? {}
  const names = template?.sections ?? []
  const leftOut = known.left_out ?? []
  const parts = names.flatMap((name) =>
    leftOut.includes(name) ? missingPart(ctx, name) : partOf(ctx, name, report.report_data),
  )
  const score = showsScore(ctx, template) ? scoreFigure(known.reputationScore) : []
  const headline = [...score, ...parts.flatMap((part) => part.headline)].slice(0, 12)
  const sections: TreeSection[] = [
    ...summary(headline, report.paragraph),
    ...parts.map(({ section }) => section),
    ...insightsPart(known.insights),
    ...(parts.length === 0 ? [section('nothing', 'No data', [nothing])] : []),
  ]
  return {
    title: template?.title ?? 'Report',
    subject: known.business_location?.name ?? known.workspace?.name ?? 'All locations of the workspace',
    period: report.period_label ?? known.period?.label ?? `${report.period_start} to ${report.period_end}`,
    from: brand?.sender_name ?? known.agency?.name ?? known.workspace?.name ?? 'Renown',
    ...(brand && agency_id !== undefined ? { brand: { ...brandIn(brand), agency_id } } : {}),
    dataHash: hashOf(report.report_data ?? null),
    sections,
    definitions: definitionsOf(ctx, names, sections),
  }
}

/** Leaves out keys of other versions. */
const brandIn = ({
  sender_name,
  color,
  color_dark,
  shows_renown,
  logo,
}: v.InferOutput<typeof frozenBranding>): Branding => ({
  ...(sender_name === undefined ? {} : { sender_name }),
  ...(color === undefined ? {} : { color }),
  ...(color_dark === undefined ? {} : { color_dark }),
  shows_renown,
  ...(logo && { logo: { hash: logo.hash, width: logo.width, height: logo.height } }),
})

const section = (name: string, title: string, of: readonly Block[]): TreeSection => ({
  name,
  title,
  blocks: of,
})
const note = (text: string): Block => ({ kind: 'note', text })
const nothing = note('This report has no data that can be shown.')

function summary(figures: readonly Figure[], paragraph: string | undefined): TreeSection[] {
  const parts: Block[] = [
    ...(paragraph === undefined || paragraph.trim() === ''
      ? []
      : [{ kind: 'text' as const, by: 'person' as const, paragraphs: paragraph.trim().split(/\n{2,}/) }]),
    ...(figures.length === 0 ? [] : [{ kind: 'figures' as const, figures: [...figures] }]),
  ]
  return parts.length === 0 ? [] : [section('summary', 'Summary', parts)]
}

/** Whether a section of the template feeds the score: otherwise it is always unknown. A prospect has the score of its audit. */
const showsScore = (ctx: Ctx, template: ReportTemplate | undefined): boolean =>
  template?.about !== 'prospect' &&
  ctx.extensions(reportSection).some(({ name, score }) => score && template?.sections.includes(name))

const scoreFigure = (value: number | null | undefined): Figure[] =>
  value === undefined
    ? []
    : [
        {
          id: 'reputation.score',
          label: 'Reputation score',
          value,
          unit: 'score',
          better: 'higher',
          definition: scoreDefinition.id,
          ...(value === null ? { unknown_because: 'no part of it is known' } : {}),
        },
      ]

/** A section whose data could not be read when the report was made. */
const missingPart = (ctx: Ctx, name: string) => {
  const title = ctx.extensions(reportSection).find((one) => one.name === name)?.title ?? name
  const why = 'This part is missing: its figures could not be read when the report was made.'
  return [{ section: section(name, title, [note(why)]), headline: [] }]
}

/** Returns one section with its blocks. Empty if the report does not have it. */
function partOf(
  ctx: Ctx,
  name: string,
  data: unknown,
): { readonly section: TreeSection; readonly headline: readonly Figure[] }[] {
  const found = sectionDataIn(data, name)
  if (found === undefined) return []
  const known = ctx.extensions(reportSection).find((one) => one.name === name)
  if (!known)
    return [{ section: section(name, name, [note('The plugin of this part is not loaded.')]), headline: [] }]
  const fits = v.safeParse(known.data, found)
  const made = fits.success ? v.safeParse(blocks, known.blocks(fits.output)) : fits
  if (!fits.success || !made.success) {
    return [
      {
        section: section(name, known.title, [
          note('This part was made by another version and cannot be shown.'),
        ]),
        headline: [],
      },
    ]
  }
  const headline = known.headline?.(fits.output) ?? []
  return [{ section: section(name, known.title, made.output as Block[]), headline }]
}

/** Returns the definitions of the figures that occur, in the order of the figures. */
function definitionsOf(ctx: Ctx, names: readonly string[], sections: readonly TreeSection[]): Definition[] {
  const known = new Map(
    [
      scoreDefinition,
      ...ctx
        .extensions(reportSection)
        .flatMap(({ name, definitions }) => (names.includes(name) ? definitions : [])),
    ].map((definition) => [definition.id, definition]),
  )
  const used = sections.flatMap(({ blocks: of }) =>
    of.flatMap((one) => (one.kind === 'figures' ? one.figures.map(({ definition }) => definition) : [])),
  )
  return [...new Set(used)].flatMap((id) => known.get(id) ?? [])
}

/** The parts of frozen insights that reports show. */
interface ShownInsights {
  readonly topThemes?: readonly string[] | null | undefined
  readonly recommendations?: readonly string[] | null | undefined
  readonly unknown_because?: string | undefined
}

/** Shows what a language model said, or that it failed. Without a model there is nothing to show. */
function insightsPart(found: ShownInsights | undefined): TreeSection[] {
  const themes = (found?.topThemes ?? []).map((theme) => cutText(theme, 80))
  const items = (found?.recommendations ?? []).map((text) => ({ text: cutText(text) }))
  const why = found?.unknown_because
  const blocks: Block[] = [
    ...(themes.length === 0
      ? []
      : [
          {
            kind: 'text' as const,
            by: 'model' as const,
            paragraphs: [`People write most about ${themes.join(', ')}.`],
          },
        ]),
    ...(items.length === 0 ? [] : [{ kind: 'next' as const, items }]),
    ...(why?.startsWith('the language model failed')
      ? [
          {
            kind: 'note' as const,
            text: 'Themes and recommendations are unknown: the language model failed.',
          },
        ]
      : []),
  ]
  return blocks.length === 0 ? [] : [{ name: 'insights', title: 'What people say, and what to do', blocks }]
}
