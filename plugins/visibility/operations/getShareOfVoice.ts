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
import { type Namings, voicesOf } from '../sums/named-sums'
import { narrowing } from '../sums/scope'
import { spanOf, trackedBy } from '../sums/tracked'
import { averagePosition, voiceRounds } from '../sums/voices'

export const shareOfVoice = defineRate(
  'visibility.share_of_voice@2',
  'Share of all mentions of the brand and the tracked competitors, in answers to prompts that do not name the brand. An answer that names three of them counts three times in n. The shares add up to 1',
)

export const presence = defineRate(
  'visibility.presence@2',
  'Answers that name this one, among all answers to prompts that do not name the brand',
)

const shareOfAll = defineRate(
  'visibility.share_of_voice@1',
  'The same with prompts that name the brand, whose answers name it anyway',
)

const presenceInAll = defineRate('visibility.presence@1', 'The same with prompts that name the brand')
const since = { since: '2026-11-23', sunset: '2027-11-23' }
const count = (description: string) => field.integer(description, { min: 0 })

/** Returns the share of the brand and of its competitors. */
export const getShareOfVoice = defineOperation({
  name: 'getShareOfVoice',
  summary: 'How often AI assistants name the brand and its competitors, compared with the previous period',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({ tracker_id: field.text('The tracker'), ...periodInput, ...narrowing }),
  output: v.object({
    tracker_id: field.code('The tracker'),
    ...emptyFields,
    period: periodSchema('The requested period. Default 28 days'),
    previous_period: periodSchema('The period of the same length before it'),
    answers: count('Number of answers in the period. Runs without an answer are left out'),
    branded_answers: count(
      'Those of them to prompts that name the brand. Figures of version 2 leave them out',
    ),
    previous_answers: count('Number of answers in the previous period'),
    previous_branded_answers: count('Those of them to prompts that name the brand'),
    voices: v.pipe(
      v.array(
        v.object({
          name: field.text('Name of the brand or competitor in the tracker'),
          is_brand: field.flag('Whether it is the brand itself'),
          share_of_voice_v2: shareOfVoice.schema,
          presence_v2: presence.schema,
          previous_share_of_voice_v2: shareOfVoice.schema,
          share_of_voice: deprecated(shareOfAll.schema, { ...since, use: 'share_of_voice_v2' }),
          presence: deprecated(presenceInAll.schema, { ...since, use: 'presence_v2' }),
          avg_position: v.nullable(
            field.number('Average place among those named, over all answers that give one; 1 is first', {
              min: 1,
            }),
          ),
          positions: count('Number of answers that give it a position, the n of avg_position'),
          previous_share_of_voice: deprecated(shareOfAll.schema, {
            ...since,
            use: 'previous_share_of_voice_v2',
          }),
          previous_share: deprecated(
            v.nullable(
              field.number('Share of voice in the previous period; null where nobody was named', {
                min: 0,
                max: 1,
              }),
            ),
            { ...since, use: 'previous_share_of_voice_v2' },
          ),
        }),
      ),
      v.description('The brand and every competitor of the tracker, most mentioned first'),
    ),
  }),
  async run(ctx, { tracker_id, engine, country, ...input }) {
    const tracker = await requireRow(ctx.rows(VisibilityTracker), 'tracker', tracker_id)
    const { period, previous } = periodOf(input, { today: todayOf(ctx), days: 28 })
    const scope = { tracker_id: tracker.id, engine, country }
    const tracked = await trackedBy(ctx, scope)
    const [now, before] = await Promise.all([
      voicesOf(ctx, tracker, spanOf(tracked, period)),
      voicesOf(ctx, tracker, spanOf(tracked, previous)),
    ])
    return {
      tracker_id: tracker.id,
      ...(await emptiness(ctx, tracked, period, now.all.answers)),
      period,
      previous_period: previous,
      answers: now.all.answers,
      branded_answers: now.branded.answers,
      previous_answers: before.all.answers,
      previous_branded_answers: before.branded.answers,
      voices: [...now.all.voices]
        .map(([name, voice]) => {
          const previous = shareOfAll.of(namingsOf(before.all, name), before.all.namings)
          return {
            name,
            is_brand: name === tracker.brand_name,
            share_of_voice_v2: openShare(now, name),
            presence_v2: openPresence(now, name),
            previous_share_of_voice_v2: openShare(before, name),
            share_of_voice: shareOfAll.of(voice.answers, now.all.namings),
            presence: presenceInAll.of(voice.answers, now.all.answers),
            avg_position: averagePosition(voice),
            positions: voice.placed,
            previous_share_of_voice: previous,
            previous_share: previous.rate,
          }
        })
        .sort((a, b) => b.share_of_voice_v2.k - a.share_of_voice_v2.k || (a.name < b.name ? -1 : 1)),
    }
  },
})

type Heard = Awaited<ReturnType<typeof voicesOf>>

const namingsOf = ({ voices }: Namings, name: string) => voices.get(name)?.answers ?? 0

/** The share of all namings, in answers to prompts that do not name the brand. */
const openShare = ({ all, branded }: Heard, name: string) =>
  shareOfVoice.ofRounds(voiceRounds(all.rounds, branded.rounds, name, 'namings'))

/** The share of all answers to prompts that do not name the brand. */
const openPresence = ({ all, branded }: Heard, name: string) =>
  presence.ofRounds(voiceRounds(all.rounds, branded.rounds, name, 'answers'))
