import type { Period, ReadContext } from 'renown'
import {
  type Block,
  frozenCount as count,
  cutText,
  type Figure,
  frozenRate,
  type ReportSection,
  rateFigure,
} from 'renown/reports'
import { formatCount } from 'renown/web'
import * as v from 'valibot'
import { getShareOfVoice } from '../operations/getShareOfVoice'
import { summarizeVisibility } from '../operations/getVisibilitySummary'
import { trackedBy } from '../sums/tracked'
import { evidence, measureOf, whyEmpty } from './frozen-change'

const data = v.object({
  trackers: v.array(
    v.object({
      name: v.string(),
      brand: v.string(),
      answers: count,
      previous_answers: count,
      empty_because: v.nullable(v.string()),
      /** Why the periods cannot be compared. Null if they can. */
      not_comparable_because: v.nullable(v.string()),
      voices: v.array(
        v.object({
          name: v.string(),
          is_brand: v.boolean(),
          share: frozenRate,
          presence: frozenRate,
          previous_share: frozenRate,
          avg_position: v.nullable(v.number()),
          positions: count,
        }),
      ),
      more_voices: count,
    }),
  ),
  more_trackers: count,
})

/** The frozen data about competitors in the answers of AI assistants. */
export type CompetitorsData = v.InferOutput<typeof data>
type Compared = CompetitorsData['trackers'][number]

const trackersMax = 10
const voicesMax = 20

/** How often AI assistants name a business and its competitors. */
export const competitorsSection: ReportSection<CompetitorsData> = {
  name: 'competitors',
  title: 'Competitors',
  data,
  definitions: [
    {
      id: 'visibility.share_of_voice@2',
      name: 'Share of voice',
      text: 'Share of all mentions of the brand and the tracked competitors, with its 95 % interval. An answer that names three of them counts three times. The shares add up to 100 %. Questions that name the brand do not count. Reports before this version counted them (@1).',
    },
  ],
  collect: ({ reads }, { location, period, previous }) =>
    readVoices(reads, location.id, { period, previous }),
  headline: ({ trackers }) => trackers.slice(0, 1).flatMap((one) => brandFigure(one, 0)),
  blocks: ({ trackers, more_trackers }) => [
    { kind: 'figures', figures: trackers.flatMap(brandFigure) },
    ...trackers.flatMap((one) => [...chart(one, trackers.length > 1), ...table(one, trackers.length > 1)]),
    ...(more_trackers === 0 ? [] : [note(`${formatCount(more_trackers, 'more tracker')} left out.`)]),
    ...leading(trackers),
  ],
}

const note = (text: string): Block => ({ kind: 'note', text })

async function readVoices(
  reads: ReadContext,
  location_id: string,
  asked: { readonly period: Period; readonly previous: Period },
): Promise<CompetitorsData | null> {
  const { trackers: all } = await trackedBy(reads, { location_id })
  const trackers = all.filter(({ competitors }) => competitors.length > 0)
  if (trackers.length === 0) return null
  const { by_tracker, model_changes } = await summarizeVisibility(reads, { location_id }, asked)
  const voicesOf = ({ date_from, date_to }: Period, tracker_id: string) =>
    getShareOfVoice.run(reads, { tracker_id, date_from, date_to })
  const compared: Compared[] = []
  for (const { id: tracker_id, name, brand_name } of trackers.slice(0, trackersMax)) {
    const now = await voicesOf(asked.period, tracker_id)
    const before = await voicesOf(asked.previous, tracker_id)
    const earlier = new Map(before.voices.map((voice) => [voice.name, voice.share_of_voice_v2]))
    const summary = by_tracker.find((one) => one.tracker_id === tracker_id)
    const changed = model_changes.some((one) => one.tracker_id === tracker_id)
    compared.push({
      name: cutText(name),
      brand: cutText(brand_name),
      answers: now.answers - now.branded_answers,
      previous_answers: before.answers - before.branded_answers,
      empty_because: now.empty_because,
      not_comparable_because: summary ? whyNot(summary, changed) : 'the tracker is not in the summary',
      voices: shown(now.voices).map(({ name: of, is_brand, ...rest }) => ({
        name: cutText(of),
        is_brand,
        share: rest.share_of_voice_v2,
        presence: rest.presence_v2,
        previous_share: earlier.get(of) ?? { ...rest.share_of_voice_v2, k: 0, n: 0, rate: null, ci95: null },
        avg_position: rest.avg_position,
        positions: rest.positions,
      })),
      more_voices: Math.max(0, now.voices.length - voicesMax),
    })
  }
  return { trackers: compared, more_trackers: Math.max(0, trackers.length - trackersMax) }
}

const whyNot = (summary: Parameters<typeof measureOf>[0], changed: boolean) =>
  measureOf(summary, changed).not_comparable_because

/** Returns the most mentioned voices. The brand is always one of them. */
function shown<Voice extends { readonly is_brand: boolean }>(voices: readonly Voice[]): Voice[] {
  const first = voices.slice(0, voicesMax)
  const brand = voices.slice(voicesMax).filter(({ is_brand }) => is_brand)
  return [...first.slice(0, voicesMax - brand.length), ...brand]
}

function brandFigure(
  { voices, name, brand, empty_because: empty, ...rest }: Compared,
  place: number,
): Figure[] {
  const own = voices.find(({ is_brand }) => is_brand)
  if (!own) return []
  const why = rest.not_comparable_because
  const id = place === 0 ? 'competitors.share' : `competitors.share_${place + 1}`
  const label = place === 0 ? 'Share of voice' : cutText(`Share of voice, ${name}: ${brand}`)
  const before = own.previous_share
  const isCompared = why === null && before.rate !== null
  return [
    {
      ...rateFigure({ id, label, better: 'higher', evidence }, own.share, isCompared ? before : undefined),
      ...(own.share.rate === null
        ? { unknown_because: empty === null ? 'nobody was named' : whyEmpty(empty) }
        : {}),
      ...(why === null ? {} : { not_comparable_because: why }),
    },
  ]
}

const barsMax = 10

function chart(
  { voices, answers, name, not_comparable_because: why }: Compared,
  isOneOfMany: boolean,
): Block[] {
  const bars = voices.slice(0, barsMax)
  if (answers === 0 || bars.every(({ share }) => share.rate === null)) return []
  const before = { name: 'Before', values: bars.map(({ previous_share }) => previous_share.rate) }
  return [
    {
      kind: 'chart',
      title: titled('Share of voice', name, isOneOfMany),
      form: 'bars',
      unit: 'share',
      alt: cutText(
        `Share of voice: ${bars.map((one) => `${one.name} ${((one.share.rate ?? 0) * 100).toFixed(1)} %`).join(', ')}.`,
        1_000,
      ),
      labels: bars.map((one) => one.name),
      series: [
        { name: 'This period', values: bars.map(({ share }) => share.rate) },
        ...(why === null ? [before] : []),
      ],
    },
  ]
}

const titled = (title: string, name: string, isOneOfMany: boolean) =>
  isOneOfMany ? cutText(`${title}: ${name}`) : title

function table(
  { voices, more_voices: more, name, not_comparable_because: why }: Compared,
  many: boolean,
): Block[] {
  const before = <Value>(values: readonly Value[]) => (why === null ? values : [])
  return [
    {
      kind: 'table',
      title: titled('The business and its competitors', name, many),
      columns: [
        { label: 'Name', type: 'text' },
        ...['Share of voice', '95 % from', 'to', ...before(['Before']), 'Answers with it'].map((label) => ({
          label,
          type: 'share' as const,
        })),
      ],
      rows: voices.map(({ name: of, is_brand, share, previous_share, presence }) => [
        is_brand ? cutText(`${of} (own)`) : of,
        share.rate,
        share.ci95?.[0] ?? null,
        share.ci95?.[1] ?? null,
        ...before([previous_share.rate]),
        presence.rate,
      ]),
      ...(more === 0 ? {} : { more }),
    },
  ]
}

/** Names the competitors that are clearly named more often: the intervals do not overlap. */
function leading(trackers: readonly Compared[]): Block[] {
  const ahead = trackers.flatMap(({ voices }) => {
    const high = voices.find(({ is_brand }) => is_brand)?.share.ci95?.[1]
    return high === undefined ? [] : voices.filter(({ share }) => (share.ci95?.[0] ?? 0) > high)
  })
  const names = [...new Set(ahead.map(({ name }) => name))].slice(0, 5)
  if (names.length === 0) return []
  return [
    {
      kind: 'next',
      items: [
        {
          text: cutText(`Compare the sources that name ${names.join(', ')} with your own.`, 2_000),
          because: 'AI assistants name them clearly more often.',
          href: evidence,
        },
      ],
    },
  ]
}
