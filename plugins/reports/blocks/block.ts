import * as v from 'valibot'
import type { ReportBrand } from '../branding/branding'

const words = v.pipe(v.string(), v.maxLength(2_000))
const line = v.pipe(v.string(), v.minLength(1), v.maxLength(300))
/** An address of the web, or a path of Renown such as `/app/reviews`. */
const href = v.pipe(v.string(), v.maxLength(2_000), v.regex(/^(?:https?:\/\/|\/)/, 'a web address or a path'))
const known = v.nullable(v.pipe(v.number(), v.finite()))

/** How a number is printed. `share` is 0 to 1, `hours` is a duration, and `usd` is an amount. */
export const units = ['count', 'share', 'rating', 'score', 'hours', 'usd'] as const

/** How a number is printed. */
export type Unit = (typeof units)[number]

const figure = v.strictObject({
  /** A stable id such as `reviews.new`. */
  id: v.pipe(v.string(), v.regex(/^[a-z]+(?:[._][a-z0-9]+)*$/)),
  label: line,
  /** Null if unknown. It is never 0 then. */
  value: known,
  unit: v.picklist(units),
  /** Why the value is unknown. */
  unknown_because: v.optional(line),
  /** The value of the previous period. Null if unknown. */
  previous: v.optional(known),
  /** Why the two values cannot be compared. */
  not_comparable_because: v.optional(line),
  /** Whether the change is more than chance: its 95 % interval does not contain 0. Absent if that is not known. */
  is_significant: v.optional(v.boolean()),
  /** Which direction is good. Default: neither. */
  better: v.optional(v.picklist(['higher', 'lower'])),
  /** The 95 % interval of the value. */
  interval: v.optional(v.strictObject({ low: v.number(), high: v.number() })),
  /** The number of observations behind the value. */
  n: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  /** Id of the definition, such as `new_reviews@1`. */
  definition: line,
  /** Where the records behind the figure are shown. */
  evidence: v.optional(href),
})

/** Text that a stranger wrote. It is shown as text in its own direction, and marked for agents. */
const quote = v.strictObject({
  quote: words,
  /** BCP 47 language tag. */
  lang: v.optional(line),
})

const cell = v.union([v.string(), v.number(), v.null(), quote])

const item = v.strictObject({ text: words, because: v.optional(words), href: v.optional(href) })

/** A part of a report. Every form of a report is made of the same blocks. */
export const block = v.variant('kind', [
  v.strictObject({
    kind: v.literal('figures'),
    figures: v.pipe(v.array(figure), v.minLength(1), v.maxLength(24)),
  }),
  v.strictObject({
    kind: v.literal('chart'),
    title: line,
    /** What the chart shows, in words, for people who cannot see it. */
    alt: v.pipe(v.string(), v.minLength(1), v.maxLength(1_000)),
    form: v.picklist(['line', 'columns', 'bars']),
    unit: v.picklist(units),
    labels: v.pipe(v.array(line), v.minLength(1), v.maxLength(400)),
    /** One value for each label. Null leaves a gap. */
    series: v.pipe(
      v.array(v.strictObject({ name: line, values: v.array(known) })),
      v.minLength(1),
      v.maxLength(8),
    ),
  }),
  v.strictObject({
    kind: v.literal('table'),
    title: line,
    columns: v.pipe(
      v.array(v.strictObject({ label: line, type: v.picklist(['text', 'day', ...units]) })),
      v.minLength(1),
      v.maxLength(12),
    ),
    rows: v.pipe(v.array(v.array(cell)), v.maxLength(200)),
    /** The number of rows that are left out. */
    more: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  }),
  v.strictObject({
    kind: v.literal('text'),
    by: v.picklist(['person', 'model', 'renown']),
    paragraphs: v.pipe(v.array(words), v.minLength(1), v.maxLength(20)),
  }),
  v.strictObject({
    kind: v.literal('evidence'),
    title: line,
    items: v.pipe(
      v.array(
        v.strictObject({
          ...quote.entries,
          /** Who wrote it, as the platform shows the name. */
          author: v.optional(line),
          /** The platform, such as `Google`. */
          source: line,
          /** RFC 3339. */
          at: v.optional(line),
          rating: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(5))),
          href: v.optional(href),
        }),
      ),
      v.minLength(1),
      v.maxLength(20),
    ),
  }),
  v.strictObject({ kind: v.literal('did'), items: v.pipe(v.array(item), v.minLength(1), v.maxLength(30)) }),
  v.strictObject({ kind: v.literal('next'), items: v.pipe(v.array(item), v.minLength(1), v.maxLength(10)) }),
  /** Why something is not shown. */
  v.strictObject({ kind: v.literal('note'), text: words }),
])

/** A part of a report. */
export type Block = v.InferOutput<typeof block>
/** A number with its definition. */
export type Figure = v.InferOutput<typeof figure>
/** A block of one kind. */
export type BlockOf<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>
/** A text of a stranger with its source. */
export type QuotedText = BlockOf<'evidence'>['items'][number]
/** A cell of a table. */
export type TableCell = v.InferOutput<typeof cell>

/** The published definition of a figure. */
export interface Definition {
  /** Such as `new_reviews@1`. The number changes when the figure is calculated in another way. */
  readonly id: string
  readonly name: string
  /** How the figure is calculated, in sentences. */
  readonly text: string
}

/** A part of a report with its heading. */
export interface TreeSection {
  /** The name of its section, such as `reviews`. */
  readonly name: string
  readonly title: string
  readonly blocks: readonly Block[]
}

/** A whole report. Its page, PDF, mail, tables and Markdown are made from it alone. */
export interface ReportTree {
  readonly title: string
  /** The business. */
  readonly subject: string
  /** The period in words, such as `October 2026`. */
  readonly period: string
  /** The agency that sends the report, or the workspace. */
  readonly from: string
  /** Logo and colors of the sender, as they were when the data was frozen. */
  readonly brand?: ReportBrand
  /** The SHA-256 of the frozen data, in hexadecimal. */
  readonly dataHash: string
  readonly sections: readonly TreeSection[]
  /** The definitions of all figures that occur. */
  readonly definitions: readonly Definition[]
}
