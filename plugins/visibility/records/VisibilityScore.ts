import { defineEntity, field } from 'renown'
import * as v from 'valibot'
import { positionBases } from '../detection/position'
import { stances } from '../detection/stances'

const { flag, instant, integer, number, oneOf, text } = field

/** What the detection found in an answer. */
export const scoreFields = {
  brand_mentioned: flag('The answer names the brand'),
  brand_cited: flag("The answer cites the brand's own site"),
  stance: v.optional(oneOf(stances, 'How the answer speaks of the brand')),
  stance_evidence: v.optional(text('The clause of the answer that shows it')),
  brand_position: v.optional(integer('Place of the brand among those named', { min: 1 })),
  position_basis: v.optional(oneOf(positionBases, 'How the place was counted')),
  sentiment: v.optional(number('Kind words less unkind ones', { min: -1, max: 1 })),
  sentiment_evidence: v.optional(text('The clause that the sentiment rests on')),
  competitor_mentions: v.pipe(
    v.array(
      v.object({
        name: text('Competitor named in the answer'),
        position: v.optional(integer('Its place among the brands named', { min: 1 })),
      }),
    ),
    v.description('Competitors that it names'),
  ),
} as const

/** What the detection found in one answer. */
export type Score = v.InferOutput<v.ObjectSchema<typeof scoreFields, undefined>>

/** The names of its fields. */
export const scoreNames = Object.keys(scoreFields) as readonly (keyof Score)[]

/** Returns the score of a row, without its other fields and always in the same order. */
export const storedScore = (row: Score): Score =>
  Object.fromEntries(
    scoreNames.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])),
  ) as unknown as Score

/** An earlier score of a run, with the version of the detection that gave it. Never changed. */
export const VisibilityScore = defineEntity({
  name: 'VisibilityScore',
  summary: 'An earlier score of an answer, before it was scored again',
  idPrefix: 'vsc',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: 'nobody',
  fields: {
    run_id: text('Run that it belongs to'),
    tracker_id: text('Tracker that asked'),
    location_id: text('Business location the tracker belongs to'),
    definition_version: text('Version of the detection'),
    digest: text('Identifies the version and the score. The same score is stored once'),
    replaced_at: instant('When another score replaced it'),
    ...scoreFields,
  },
  immutable: ['run_id', 'definition_version', 'digest', 'brand_mentioned'],
  sortable: ['replaced_at'],
  indexes: [{ on: ['run_id', 'digest'], unique: true }, { on: ['tracker_id'] }],
})
