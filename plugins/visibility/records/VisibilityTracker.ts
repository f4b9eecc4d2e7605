import { defineEntity, field } from 'renown'
import * as v from 'valibot'
import { countryField } from './countries'
import { engineField } from './engines'
import { VisibilityPrompt } from './VisibilityPrompt'

const { code, flag, instant, integer, number, text, texts } = field

const competitor = v.object({
  name: text('Name that is looked for in the text of answers'),
  domain: v.optional(text('Domain that is looked for in citations')),
})

const runSummary = v.object({
  at: instant('When the attempt ended'),
  ran: integer('Runs that were made; 0 where the attempt failed as a whole', { min: 0 }),
  errors: v.optional(integer('Runs that failed', { min: 0 })),
  lost: v.optional(
    integer(
      'Questions whose process ended before the answer was stored. They are among the errors of their day',
      {
        min: 0,
      },
    ),
  ),
  planned: v.optional(integer('Number of planned runs', { min: 0 })),
  truncated: v.optional(flag('The quota ended the attempt early')),
  quota_used: v.optional(number('Quota used so far', { min: 0 })),
  quota_limit: v.optional(number('Quota there is', { min: 0 })),
  error_samples: v.optional(texts('Some of the errors')),
  message: v.optional(text('Why the attempt failed as a whole')),
})

const budget = v.object({
  search_calls_per_day: v.optional(integer('Maximum searches of its engines per day', { min: 1 })),
  usd_per_month: v.optional(number('Maximum cost per calendar month in US dollars', { min: 0 })),
})

const stopRule = v.object({
  half_width: number('Largest accepted half width of the 95 % interval of the mention rate', {
    min: 0.005,
    max: 0.5,
  }),
  min_rounds: integer('Minimum rounds before it stops', { min: 3, max: 366 }),
})

const progress = v.object({
  day: field.day('Local day'),
  minute: integer('All cells up to this minute of the day have a claim', { min: -1 }),
  cells: text('Identifies the cells of the day'),
})

const spent = v.object({
  month: text('Month, such as 2026-11'),
  until: field.day('Last day that is summed. No run is added to these days any more'),
  usd: number('What its answers cost up to that day, in US dollars', { min: 0 }),
  answers: integer('Answers with a known cost', { min: 0 }),
})

const sealed = v.object({
  version: text('Version of the sums, with the time zone of their days'),
  rev: integer('Highest version of its rows in columns', { min: 0 }),
  runs: integer('Runs that are summed', { min: 0 }),
  checked: field.day('Day on which the sums were last compared with the runs'),
})

const plannedPrompt = v.object({
  text: text('The question'),
  language: text('BCP 47 language tag of the question'),
  country: text('Country it is asked from, ISO 3166-1 alpha-2'),
  intent: VisibilityPrompt.fields.intent,
  source: VisibilityPrompt.fields.source,
  tags: texts('Labels'),
})

const hold = v.object({
  engine: code('Paused engine'),
  until: instant('When the pause ends'),
  reason: text('Why'),
})

/** A set of questions about a brand for AI assistants, with their schedule and country. */
export const VisibilityTracker = defineEntity({
  name: 'VisibilityTracker',
  summary: 'A brand to look for in the answers of AI assistants',
  idPrefix: 'vtr',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    location_id: code('Business location the brand belongs to'),
    name: text('Name of the tracker'),
    brand_name: text('Name of the brand to look for'),
    brand_domain: v.optional(text("Domain of the brand's own site. Renown recognizes its citations by it")),
    brand_aliases: texts('Other names of the business. They count as the brand, never as a competitor'),
    competitors: v.pipe(v.array(competitor), v.description('Competitors for share of voice')),
    engines: v.pipe(
      v.array(engineField('Answer engine')),
      v.description('Answer engines that prompts run against'),
    ),
    countries: v.optional(
      v.pipe(
        v.array(countryField('Country')),
        v.description('Countries to ask from. If missing, each prompt has its own country'),
      ),
    ),
    provider: code('How the engines are reached: direct, dataforseo or recorded'),
    is_active: flag('The tracker is switched on'),
    run_frequency_hours: number(
      'Hours between two rounds. A round asks every active prompt on every engine',
      {
        min: 1,
      },
    ),
    budget: v.optional(v.pipe(budget, v.description('Budget of searches and cost'))),
    stop_when: v.optional(
      v.pipe(
        stopRule,
        v.description(
          'Stop rule: when the answers are precise enough. It asks again on the first of the next month',
        ),
      ),
    ),
    sure_until: v.optional(field.day('First day on which it asks again after its stop rule was met')),
    is_first: v.optional(flag('Whether first-time set-up created it')),
    planned: v.optional(
      v.pipe(
        v.array(plannedPrompt),
        v.description('Prompts that set-up was about to store. Gone when it ended'),
      ),
    ),
    due_at: v.optional(instant('When its next question is due')),
    holds: v.optional(v.pipe(v.array(hold), v.description('Engines that are not asked for a while'))),
    scored_as: v.optional(text('Identifies the rules and names by which all its answers are scored')),
    sealed: v.optional(v.pipe(sealed, v.description('Which sums of its runs are in columns'))),
    progress: v.optional(v.pipe(progress, v.description('Where the next pass of the day begins'))),
    spent: v.optional(v.pipe(spent, v.description('The cost of the closed days of a month'))),
    last_run_at: v.optional(instant('Time of the last run')),
    last_scheduled_run_at: v.optional(instant('Time of the last scheduled run')),
    last_run_summary: v.optional(v.pipe(runSummary, v.description('Result of the last attempt'))),
  },
  hidden: ['planned', 'due_at', 'holds', 'is_first', 'scored_as', 'progress', 'spent', 'sealed'],
  searchable: ['name', 'brand_name'],
  namedIn: { arguments: ['tracker_id'], names: ['name', 'brand_name'], domains: ['brand_domain'] },
  sortable: ['created_date', 'updated_date', 'name', 'last_run_at'],
  indexes: [
    { on: ['location_id'], unique: true, where: { is_first: true } },
    { on: ['location_id'] },
    { on: ['is_active', 'last_scheduled_run_at'] },
    { on: ['due_at'] },
  ],
})
