import { defineCommand, field, foreignEntity, Refusal, type Row } from 'renown'
import * as v from 'valibot'
import { AutoResponseRules, modelStarsMin, tones } from '../records/AutoResponseRules'
import { countReplies } from './countReplies'

/** The agency of the rules. */
export const Agency = foreignEntity('Agency', { name: field.text('Name of the agency') })

const minutes = (what: string, fallback: number) =>
  v.optional(field.integer(what, { min: 0, max: 30 * 24 * 60 }), fallback)

/** Replaces the agency's rules. Missing options get their defaults. */
export const setAutoResponse = defineCommand({
  name: 'auto-response set',
  summary: "Set an agency's rules of automatic review replies; locations opt in one by one",
  input: v.strictObject({
    agency_id: field.text('Whose rules'),
    off: v.optional(field.flag('Send none'), false),
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
  }),
  positional: ['agency_id'],
  async run(ctx, { agency_id, off, ...rules }) {
    if (!(await ctx.rows(Agency).get(agency_id))) {
      throw new Refusal('not_found', `There is no agency ${agency_id}.`)
    }
    if (rules.delay_min_minutes > rules.delay_max_minutes) {
      throw new Refusal('invalid_field', 'delay_min_minutes must not be greater than delay_max_minutes.')
    }
    const rows = ctx.rows(AutoResponseRules)
    const whole = { ...rules, is_enabled: !off }
    const known = await rows.update(agency_id, whole)
    const row = known ?? (await rows.insert({ id: agency_id, workspace_id: agency_id, ...whole }))
    return shown(row)
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
