import { defineEntity, field } from 'renown'
import * as v from 'valibot'
import { positionBases } from '../detection/position'
import { stances } from '../detection/stances'
import { costBases, locationPrecisions } from '../engines/engine'
import { countryField } from './countries'
import { engineField } from './engines'
import { runStatus } from './runStatus'

const { code, flag, instant, integer, number, oneOf, text, texts } = field

const citation = v.object({
  url: v.optional(text('Page that was given as a source; absent where only its domain is known')),
  domain: text('Its domain'),
  title: v.optional(text('Its title')),
  position: v.optional(integer('Its position among the sources', { min: 1 })),
  is_own: flag("It is on the brand's own site"),
  cited: flag('The answer cites it; false: it was consulted and not cited'),
})

const competitorMention = v.object({
  name: text('Competitor named in the answer'),
  position: v.optional(integer('Its position among the named brands', { min: 1 })),
})

/** One run: one prompt sent to one engine once. Cited and consulted sources are separate. */
export const VisibilityRun = defineEntity({
  name: 'VisibilityRun',
  summary: 'One question to one AI assistant, asked once, with its answer',
  idPrefix: 'vru',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    tracker_id: code('Tracker that asked'),
    prompt_id: code('Text of the question'),
    location_id: code('Business location the tracker belongs to'),
    engine: engineField('Answer engine'),
    model: v.optional(text('Model that answered')),
    model_asked: v.optional(text('Model that was asked')),
    place_pinned: v.optional(oneOf(locationPrecisions, 'How exactly the engine took the country')),
    local_day: v.optional(field.day("Day in the workspace's time zone. A question is put once a day")),
    provider: code('How the engine was reached'),
    access: oneOf(['api', 'scraped', 'recorded'], 'Kind of access'),
    country: countryField('Country it was asked from, ISO 3166-1 alpha-2'),
    started_at: instant('When the question was asked'),
    finished_at: v.optional(instant('When the answer was complete')),
    status: oneOf(
      ['ok', 'not_judged', 'no_answer', 'error', 'refused'],
      'How it ended. not_judged: an answer in a language whose verdicts are not measured. Shares leave it out',
    ),
    error: v.optional(text('Why it failed')),
    answer_text: v.optional(text('The answer')),
    search_queries: texts('Search queries of the engine'),
    citations: v.pipe(v.array(citation), v.description('Its sources')),
    brand_mentioned: flag('Whether the answer names the brand'),
    brand_cited: flag("The answer cites the brand's own site"),
    stance: v.optional(
      oneOf(stances, 'How the answer speaks of the brand. The last two do not count as mentions'),
    ),
    stance_evidence: v.optional(text('The clause of the answer that shows it')),
    position_basis: v.optional(
      oneOf(positionBases, 'Whether the position was counted in lists and headings, or in the text'),
    ),
    sentiment: v.optional(
      number('From negative to positive, by the words in the clauses about the brand', { min: -1, max: 1 }),
    ),
    sentiment_evidence: v.optional(text('The clause that shows the sentiment')),
    brand_position: v.optional(integer('Position of the brand among the named ones', { min: 1 })),
    competitor_mentions: v.pipe(v.array(competitorMention), v.description('Competitors that it names')),
    definition_version: code('Version of the rules that found mentions and citations'),
    batch_id: code('Id that runs of the same round share'),
    cost: v.optional(number('What it cost, in US dollars', { min: 0 })),
    cost_basis: v.optional(
      oneOf(
        costBases,
        'Where the cost comes from: the engine reported it, or Renown computed it from the usage. at_most: the price or a part of the usage is not known, and this is the largest that it can be',
      ),
    ),
    odd_parts: v.optional(texts('Parts of the answer that could not be read. The other parts count')),
    is_sealed: v.optional(flag('The sums of its day contain it. Unset it when you change what is summed')),
    search_calls: v.optional(integer('Searches that the engine made', { min: 0 })),
  },
  hidden: ['is_sealed'],
  searchable: ['answer_text'],
  namedIn: { arguments: ['run_id'], names: [], domains: [] },
  states: [runStatus],
  sortable: ['created_date', 'started_at', 'finished_at'],
  defaultSort: '-started_at',
  indexes: [
    { on: ['tracker_id', '-started_at'] },
    { on: ['prompt_id', '-started_at'] },
    { on: ['batch_id'] },
    { on: ['engine', '-started_at'] },
    { on: ['country', '-started_at'] },
    { on: ['tracker_id', 'engine', 'model_asked'] },
    { on: ['tracker_id', 'local_day', 'status', 'cost'] },
    { on: ['tracker_id', 'is_sealed'] },
  ],
})
