import { defineEntity, field, type TableDeclaration } from 'renown'
import * as v from 'valibot'

const { day, instant, integer, number, oneOf, text } = field

/**
 * What a row sums. `engine` counts all runs of an engine, and the others only runs with an answer. `cell` counts those of one
 * prompt. `voice` counts those that name a competitor. By prompt, `lost` counts those that do and do not name the brand, and
 * `beside` those that name both. `source` counts those with a domain, and `page` those with a page. `page_any` counts a page
 * over all engines and countries.
 */
export const sumKinds = ['engine', 'cell', 'voice', 'lost', 'beside', 'source', 'page', 'page_any'] as const
export type SumKind = (typeof sumKinds)[number]

/** The fields that identify what is summed, besides the tracker and the time. Empty where the kind has none. */
export const sumKeys = ['engine', 'country', 'model_asked', 'prompt_id', 'name', 'url'] as const

const count = (description: string) => integer(description, { min: 0 })

/** The sums of a row. */
const sums = {
  runs: count('Runs'),
  answers: count('Runs with an answer'),
  no_answer: count('Runs to which the engine shows no answer'),
  errors: count('Runs that failed'),
  refused: count('Runs that the engine refused'),
  mentions: count('Answers that name the brand. For voice, lost and beside: that name the competitor'),
  citations: count("Answers that cite the brand's own site. For source and page: citations"),
  placed: count('Answers with a position of the brand. For voice and source: of what they name'),
  places: count('Sum of these positions'),
  recommended: count('Answers that recommend the brand'),
  judged: count('Answers whose stance is known, or that do not name the brand'),
  lost: count('Answers that name a competitor and not the brand'),
  cited: count('Answers that cite the source'),
  consulted: count('Answers that consulted the source without citing it'),
  own: count("Answers for which the source is the brand's own site"),
  unpriced: count('Answers whose exact cost is not known'),
  searches: count('Searches that the engine made'),
  usd: number('What the runs cost, in US dollars', { min: 0 }),
} as const

/** The names of the sums. */
export const sumNames = Object.keys(sums) as readonly SumName[]
export type SumName = keyof typeof sums

/** Sums of the runs of one day or one month, in columns. They are computed from the runs, and can be computed again. */
export const VisibilitySum = defineEntity({
  name: 'VisibilitySum',
  summary: 'Sums of the answers of one day or one month',
  idPrefix: 'vsu',
  store: 'columns',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: 'nobody',
  fields: {
    tracker_id: text('Tracker that asked'),
    location_id: text('Business location the tracker belongs to'),
    kind: oneOf(sumKinds, 'What the row sums'),
    grain: oneOf(['day', 'month'], 'How long the summed time is'),
    start: day("First day of the summed time, in the workspace's time zone"),
    engine: text('Answer engine'),
    country: text('Country it was asked from'),
    model_asked: text('Model that was asked'),
    prompt_id: text('Prompt'),
    name: text('Competitor, or domain of a source'),
    url: text('Page of a source'),
    rev: integer('Version of the row. The highest counts', { min: 0 }),
    first_at: v.optional(instant('Start of the first run with an answer')),
    ...sums,
  },
  sortable: [],
})

/** The rows of VisibilitySum. A day or month that is summed again replaces its rows. */
export const sumTable = {
  name: 'visibility_sum',
  columns: {
    id: 'String',
    workspace_id: 'LowCardinality(String)',
    location_id: 'LowCardinality(String)',
    tracker_id: 'LowCardinality(String)',
    kind: 'LowCardinality(String)',
    grain: 'LowCardinality(String)',
    start: 'Date',
    engine: 'LowCardinality(String)',
    country: 'LowCardinality(String)',
    model_asked: 'LowCardinality(String)',
    prompt_id: 'LowCardinality(String)',
    name: 'LowCardinality(String)',
    url: 'String CODEC(ZSTD(1))',
    rev: 'UInt64 CODEC(ZSTD(1))',
    first_at: 'Nullable(String) CODEC(ZSTD(1))',
    ...(Object.fromEntries(
      sumNames.map((name) => [name, name === 'usd' ? 'Float64 CODEC(ZSTD(1))' : 'UInt32 CODEC(ZSTD(1))']),
    ) as Record<SumName, string>),
    created_date: 'String CODEC(ZSTD(1))',
    updated_date: 'String CODEC(ZSTD(1))',
  },
  engine: 'ReplacingMergeTree(rev)',
  people: ['name', 'url'],
  orderBy: [
    'workspace_id',
    'tracker_id',
    'kind',
    'grain',
    'start',
    'engine',
    'country',
    'model_asked',
    'prompt_id',
    'name',
    'url',
  ],
} as const satisfies TableDeclaration

/** The version of rows that are written now, with days in this time zone. Change the number to write all rows again. */
export const sumVersion = (timezone: string): string => `3 ${timezone}`
