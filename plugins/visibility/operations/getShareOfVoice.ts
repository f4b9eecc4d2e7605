import {
  defineOperation,
  defineRate,
  deprecated,
  field,
  periodInput,
  periodOf,
  periodSchema,
  requireRow,
  todayOf,
} from 'renown'
import * as v from 'valibot'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { emptiness, emptyFields } from '../sums/emptiness'
import { voicesOf } from '../sums/named-sums'
import { narrowing } from '../sums/scope'
import { spanOf, trackedBy } from '../sums/tracked'
import { averagePosition } from '../sums/voices'

export const shareOfVoice = defineRate(
  'visibility.share_of_voice@1',
  'Share of all mentions of the brand and the tracked competitors. An answer that names three of them counts three times in n. The shares add up to 1',
)

export const presence = defineRate('visibility.presence@1', 'Answers that name this one, among all answers')
const count = (description: string) => field.integer(description, { min: 0 })

/** Returns the share of the brand and of its competitors. */
export const getShareOfVoice = defineOperation({
  name: 'getShareOfVoice',
  summary: 'How often AI assistants name the brand and its competitors, compared with the previous period',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({ tracker_id: field.text('The tracker'), ...periodInput, ...narrowing }),
  output: v.object({
    tracker_id: field.text('The tracker'),
    ...emptyFields,
    period: periodSchema('The requested period. Default 30 days'),
    previous_period: periodSchema('The period of the same length before it'),
    answers: count('Number of answers in the period. Runs without an answer are left out'),
    previous_answers: count('Number of answers in the previous period'),
    voices: v.pipe(
      v.array(
        v.object({
          name: field.text('Name of the brand or competitor in the tracker'),
          is_brand: field.flag('Whether it is the brand itself'),
          share_of_voice: shareOfVoice.schema,
          presence: presence.schema,
          avg_position: v.nullable(
            field.number('Average place among those named, over answers that give one; 1 is first', {
              min: 1,
            }),
          ),
          positions: count('Number of answers that give it a position, the n of avg_position'),
          previous_share_of_voice: shareOfVoice.schema,
          previous_share: deprecated(
            v.nullable(
              field.number('Share of voice in the previous period; null where nobody was named', {
                min: 0,
                max: 1,
              }),
            ),
            { since: '2026-11-23', sunset: '2027-11-23', use: 'previous_share_of_voice' },
          ),
        }),
      ),
      v.description('The brand and every competitor of the tracker, most mentioned first'),
    ),
  }),
  async run(ctx, { tracker_id, engine, country, ...input }) {
    const tracker = await requireRow(ctx.rows(VisibilityTracker), 'tracker', tracker_id)
    const { period, previous } = periodOf(input, { today: todayOf(ctx), days: 30 })
    const scope = { tracker_id: tracker.id, engine, country }
    const tracked = await trackedBy(ctx, scope)
    const [now, before] = await Promise.all([
      voicesOf(ctx, tracker, spanOf(tracked, period)),
      voicesOf(ctx, tracker, spanOf(tracked, previous)),
    ])
    return {
      tracker_id: tracker.id,
      ...(await emptiness(ctx, tracked, period, now.answers)),
      period,
      previous_period: previous,
      answers: now.answers,
      previous_answers: before.answers,
      voices: [...now.voices]
        .map(([name, voice]) => {
          const previous = shareOfVoice.of(before.voices.get(name)?.answers ?? 0, before.namings)
          return {
            name,
            is_brand: name === tracker.brand_name,
            share_of_voice: shareOfVoice.of(voice.answers, now.namings),
            presence: presence.of(voice.answers, now.answers),
            avg_position: averagePosition(voice),
            positions: voice.placed,
            previous_share_of_voice: previous,
            previous_share: previous.rate,
          }
        })
        .sort((a, b) => b.share_of_voice.k - a.share_of_voice.k || (a.name < b.name ? -1 : 1)),
    }
  },
})
