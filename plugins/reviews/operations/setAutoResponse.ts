import { defineAct, defineCommand, field, foreignEntity, Refusal, type Row, refusedField } from 'renown'
import * as v from 'valibot'
import { AutoResponseRules, modelStarsMin, tones } from '../records/AutoResponseRules'
import { countReplies } from './countReplies'

/** The agency of the rules. */
export const Agency = foreignEntity('Agency', { name: field.text('Name of the agency') })

const minutes = (what: string, fallback: number) =>
  v.optional(field.integer(what, { min: 0, max: 30 * 24 * 60 }), fallback)

/** Returns how a form sends a whole number. */
const sentWhole = (name: string, min: number, max: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^\d{1,6}$/, `${name} must be a whole number from ${min} to ${max}.`),
    v.transform(Number),
    v.minValue(min, `${name} must be at least ${min}.`),
    v.maxValue(max, `${name} must be at most ${max}.`),
  )

const star = v.picklist(['1', '2', '3', '4', '5'])

/** Replaces the agency's rules. Missing options get their defaults. */
export const setAutoResponse = defineAct({
  name: 'auto-response set',
  summary: "Set an agency's rules of automatic review replies; locations opt in one by one",
  on: { entity: Agency, field: 'agency_id', called: 'agency', ofPerson: (ctx) => ctx.workspace.agency_id },
  fields: {
    enabled: v.optional(field.flag('Send automatic replies'), true),
    ratings: v.optional(
      v.pipe(
        v.array(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5))),
        v.description('Stars that get a reply. Default 4,5'),
      ),
      [4, 5],
    ),
    include_unrated: v.optional(field.flag('Answer reviews without stars too'), false),
    delay_min_minutes: minutes('Minimum minutes between finding a review and replying', 60),
    delay_max_minutes: minutes('Maximum minutes between finding a review and replying', 24 * 60),
    newest_days: v.optional(
      field.integer('Reviews that are older than this when Renown finds them get no reply', {
        min: 1,
        max: 365,
      }),
      7,
    ),
    model_stars_min: v.optional(
      field.integer(
        'Minimum stars for sending the text of a language model without a person. With fewer stars, it waits as a draft. Default 4',
        { min: 1, max: 5 },
      ),
      modelStarsMin,
    ),
    tone: v.optional(field.oneOf(tones, 'How replies sound'), 'friendly'),
    allow_templates: v.optional(field.flag('Send a template if no language model is configured'), false),
  },
  forms: {
    ratings: v.pipe(
      v.optional(v.union([star, v.array(star)]), []),
      v.transform((value) => [value].flat().map(Number)),
    ),
    delay_min_minutes: sentWhole('Earliest', 0, 43_200),
    delay_max_minutes: sentWhole('Latest', 0, 43_200),
    newest_days: sentWhole('Age', 1, 365),
    model_stars_min: sentWhole('Stars', 1, 5),
  },
  label: 'Save rules',
  done: 'Reply rules saved.',
  only: 'owner',
  audit: {
    action: 'workspace.reply_rules',
    what: 'Reply rules changed',
  },
  async run(ctx, { row: { id }, input: { enabled, ...rules } }) {
    if (rules.delay_min_minutes > rules.delay_max_minutes)
      throw refusedField('delay_max_minutes', 'Latest must not be below earliest.')
    const rows = ctx.rows(AutoResponseRules)
    const whole = { ...rules, is_enabled: enabled }
    const known = await rows.update(id, whole)
    return { answer: shown(known ?? (await rows.insert({ id, workspace_id: id, ...whole }))) }
  },
})

/** Shows the current rules. */
export const showAutoResponse = defineCommand({
  name: 'auto-response show',
  summary: "Show an agency's rules of automatic review replies",
  input: v.strictObject({ agency_id: field.text('Whose rules') }),
  positional: ['agency_id'],
  async run(ctx, { agency_id }) {
    const row = await ctx.rows(AutoResponseRules).get(agency_id)
    if (!row)
      throw new Refusal('not_found', 'The agency has no reply rules yet, so Renown sends no automatic reply.')
    return { ...shown(row), last_30_days: await countReplies(ctx, agency_id) }
  },
})

function shown({ id, ...row }: Row<typeof AutoResponseRules>) {
  const { created_date: _, updated_date: __, workspace_id: ___, ...rules } = row
  return { agency_id: id, ...rules }
}
