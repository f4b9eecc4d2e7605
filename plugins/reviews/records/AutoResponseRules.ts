import { defineEntity, field } from 'renown'
import * as v from 'valibot'

/** Tones that replies are written in. */
export const tones = ['professional', 'friendly', 'empathetic', 'concise', 'playful'] as const

/** Minimum stars for sending a language model's text without a person. An agency can change it. */
export const modelStarsMin = 4

/** Internal: the rules of an agency's automatic replies. One row, with the agency's id. */
export const AutoResponseRules = defineEntity({
  name: 'AutoResponseRules',
  summary: "An agency's rules of automatic review replies",
  idPrefix: 'arr',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  people: 'nobody',
  fields: {
    is_enabled: field.flag('Whether Renown sends automatic replies at locations that opted in'),
    ratings: v.pipe(
      v.array(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5))),
      v.description('Stars that get a reply'),
    ),
    include_unrated: field.flag('Whether reviews without stars get a reply too'),
    delay_min_minutes: field.integer('Minimum minutes between finding a review and replying', { min: 0 }),
    delay_max_minutes: field.integer('Maximum minutes between finding a review and replying', { min: 0 }),
    newest_days: field.integer('Reviews that are older than this when Renown finds them get no reply', {
      min: 1,
    }),
    model_stars_min: v.optional(
      field.integer('Minimum stars for sending the text of a language model without a person. Default 4', {
        min: 1,
        max: 5,
      }),
    ),
    low_stars_allowed: v.optional(
      field.flag(
        'Whether reviews of 1 to 3 stars with words may get a reply that no person read. Only an owner can allow it',
      ),
    ),
    tone: field.oneOf(tones, 'How replies sound'),
    allow_templates: field.flag('Whether to send a template if no language model is configured'),
  },
  sortable: [],
})
