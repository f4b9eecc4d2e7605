import { defineAction, defineAppPage, type PageContext, refusedField } from 'renown'
import * as v from 'valibot'
import { setAutoResponse } from '../operations/setAutoResponse'
import { AutoResponseRules, modelStarsMin, tones } from '../records/AutoResponseRules'
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
}

export interface RulesData {
  readonly rules: ShownRules
  /** Whether there are no rules yet. No automatic reply is sent then. */
  readonly is_new: boolean
  readonly may_change: boolean
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
    rules: row ? { ...row, model_stars_min: row.model_stars_min ?? modelStarsMin } : defaults,
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

const yes = v.pipe(
  v.optional(v.picklist(['yes', 'no']), 'no'),
  v.transform((value) => value === 'yes'),
)

const whole = (name: string, min: number, max: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^\d{1,6}$/, `${name} must be a whole number from ${min} to ${max}.`),
    v.transform(Number),
    v.minValue(min, `${name} must be at least ${min}.`),
    v.maxValue(max, `${name} must be at most ${max}.`),
  )

const star = v.picklist(['1', '2', '3', '4', '5'])

const save = defineAction({
  auth: 'session',
  only: 'owner',
  done: 'Reply rules saved.',
  input: v.strictObject({
    is_enabled: yes,
    include_unrated: yes,
    allow_templates: yes,
    ratings: v.pipe(
      v.optional(v.union([star, v.array(star)]), []),
      v.transform((value) => [value].flat().map(Number)),
    ),
    delay_min_minutes: whole('Earliest', 0, 43_200),
    delay_max_minutes: whole('Latest', 0, 43_200),
    newest_days: whole('Age', 1, 365),
    model_stars_min: whole('Stars', 1, 5),
    tone: v.picklist(tones),
  }),
  async run(ctx, { is_enabled, ...rules }) {
    if (rules.delay_min_minutes > rules.delay_max_minutes) {
      throw refusedField('delay_max_minutes', 'Latest must not be below earliest.')
    }
    const { agency_id } = ctx.workspace
    await setAutoResponse.run(ctx.owner, { agency_id, off: !is_enabled, ...rules })
    await ctx.owner.recordAudit({
      workspace_id: ctx.workspace.id,
      action: 'workspace.reply_rules',
      by: ctx.owner.by,
      what: 'Reply rules changed',
    })
  },
})

/** A page with the rules of automatic replies as a form. */
export const rulesPage = defineAppPage<RulesData>({
  path,
  title: 'Reply rules',
  module: new URL('./RulesPage.tsx', import.meta.url),
  isStatic: true,
  load: loadRules,
  actions: { save },
  style: reviewsStyle,
})
