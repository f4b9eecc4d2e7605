import { definePage, type PageContext } from 'renown/pages'
import { allowLowStars, lowStarsMeaning, stopLowStars } from '../operations/low-stars'
import { setAutoResponse } from '../operations/setAutoResponse'
import { AutoResponseRules, modelStarsMin, type tones } from '../records/AutoResponseRules'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { reviewsStyle } from './reviews-style'

/** The agency's rules of automatic replies, as the form shows them. */
export interface ShownRules {
  readonly is_enabled: boolean
  readonly ratings: readonly number[]
  readonly include_unrated: boolean
  readonly delay_min_minutes: number
  readonly delay_max_minutes: number
  readonly newest_days: number
  readonly model_stars_min: number
  readonly tone: (typeof tones)[number]
  readonly allow_templates: boolean
  readonly low_stars_allowed: boolean
}

export interface RulesData {
  readonly rules: ShownRules
  /** Whether there are no rules yet. No automatic reply is sent then. */
  readonly is_new: boolean
  readonly may_change: boolean
  /** What it means to answer 1 to 3 stars without a person. */
  readonly low_stars_meaning: string
  readonly locations: readonly { readonly id: string; readonly name: string; readonly is_on: boolean }[]
}

const path = '/app/reviews/rules'
const locationsMax = 500

/** The rules that a new agency starts with: the defaults of the command. */
const defaults: ShownRules = {
  is_enabled: false,
  ratings: [4, 5],
  include_unrated: false,
  delay_min_minutes: 60,
  delay_max_minutes: 1_440,
  newest_days: 7,
  model_stars_min: modelStarsMin,
  tone: 'friendly',
  allow_templates: false,
  low_stars_allowed: false,
}

async function loadRules(ctx: PageContext): Promise<RulesData> {
  const [row, locations] = await Promise.all([
    ctx.system.rows(AutoResponseRules).get(ctx.workspace.agency_id),
    ctx.rows(ReviewedLocation).list({
      sort: [{ field: 'id', direction: 'asc' }],
      limit: locationsMax,
      fields: ['business_name', 'auto_response_enabled', 'is_prospect'],
    }),
  ])
  return {
    rules: row
      ? {
          ...row,
          model_stars_min: row.model_stars_min ?? modelStarsMin,
          low_stars_allowed: row.low_stars_allowed ?? false,
        }
      : defaults,
    low_stars_meaning: lowStarsMeaning,
    is_new: row === null,
    may_change: ctx.person.role === 'owner',
    locations: locations
      .filter(({ is_prospect }) => !is_prospect)
      .map(({ id, business_name, auto_response_enabled }) => ({
        id,
        name: business_name,
        is_on: auto_response_enabled,
      }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  }
}

/** A page with the rules of automatic replies as a form. */
export const rulesPage = definePage<RulesData>({
  path,
  title: 'Reply rules',
  module: new URL('./RulesPage.tsx', import.meta.url),
  isStatic: true,
  load: loadRules,
  actions: { save: setAutoResponse.form, allow: allowLowStars.form, stop: stopLowStars.form },
  style: reviewsStyle,
})
