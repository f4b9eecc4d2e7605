import type { Period, ReadContext } from 'renown'
import { frozenCount as count, cutText, frozenRate } from 'renown/reports'
import * as v from 'valibot'
import { promptPerformance } from '../operations/getPromptPerformance'
import { summarizeVisibility } from '../operations/getVisibilitySummary'
import { listCitedSources } from '../operations/listCitedSources'
import { engineLabels } from '../pages/engine-labels'
import { hasAnswer } from '../records/runStatus'
import { openPrompts } from '../sums/cells'
import { citationRate } from '../sums/metrics'
import { spanOf, trackedBy } from '../sums/tracked'
import { trendOf } from '../sums/trend'
import { frozenMeasure, measureOf } from './frozen-change'

const share = v.nullable(v.number())
const prompt = v.object({
  text: v.string(),
  answers: count,
  rate: share,
  previous_rate: share,
  /** Competitors that answers name instead. Null if unknown. */
  instead: v.nullable(v.array(v.string())),
})

/** The schema of the frozen data about the AI visibility of a period. */
export const visibilityData = v.object({
  answers: count,
  failed: count,
  empty_because: v.nullable(v.string()),
  total: frozenMeasure,
  cited: frozenRate,
  by_engine: v.array(v.object({ engine: v.string(), answers: count, ...frozenMeasure.entries })),
  by_tracker: v.array(
    v.object({ name: v.string(), brand: v.string(), answers: count, ...frozenMeasure.entries }),
  ),
  more_trackers: count,
  trend: v.array(v.object({ from: v.string(), rate: share })),
  /** Days of the previous period, which `won` and `lost` compare with. */
  days: count,
  /** Questions that could be compared. */
  compared: count,
  won: v.array(prompt),
  lost: v.array(prompt),
  weakest: v.array(prompt),
  /** Questions of the trackers that were not compared. */
  more_prompts: count,
  sources: v.array(
    v.object({ domain: v.string(), is_own: v.boolean(), cited: frozenRate, citations: count }),
  ),
  more_sources: count,
  incidents: v.array(v.object({ engine: v.string(), day: v.string(), answered: count, unanswered: count })),
  more_incidents: count,
  model_changes: v.array(v.object({ engine: v.string(), from: v.string(), to: v.string(), at: v.string() })),
  more_model_changes: count,
})

/** The frozen data about the AI visibility of a period. */
export type VisibilityData = v.InferOutput<typeof visibilityData>

/** Most trackers whose questions are compared. */
const trackersMax = 10
const enginesMax = 12
const promptsMax = 10
const sourcesMax = 10
const notesMax = 8
/** Most questions of one tracker that are compared. */
const comparedMax = 200

interface Asked {
  readonly period: Period
  readonly previous: Period
}

/** Reads what AI assistants say about the brands of a location. Null if no tracker asks about them. */
export async function readVisibility(
  reads: ReadContext,
  location_id: string,
  asked: Asked,
): Promise<VisibilityData | null> {
  const tracked = await trackedBy(reads, { location_id })
  if (tracked.trackers.length === 0) return null
  const { period } = asked
  const { date_from, date_to } = period
  const found = await summarizeVisibility(reads, { location_id }, asked)
  const sources = await listCitedSources.run(reads, {
    location_id,
    date_from,
    date_to,
    limit: sourcesMax,
    skip: 0,
  })
  const open = await openPrompts(reads, tracked.trackers)
  const trend = await trendOf(reads, spanOf(tracked, period, found.incidents), period, { open, shift: null })
  const labelOf = engineLabels({ system: reads })
  const changed = found.model_changes
  return {
    answers: found.totals.runs,
    empty_because: found.empty_because,
    days: asked.previous.days,
    failed: found.by_status.reduce((sum, { status, runs }) => (hasAnswer(status) ? sum : sum + runs), 0),
    total: measureOf(found.totals, changed.length > 0),
    cited: {
      ...citationRate.of(found.totals.citations, found.totals.runs),
      ci95: found.totals.citation_rate_ci,
    },
    by_engine: found.by_engine.slice(0, enginesMax).map((one) => ({
      engine: cutText(labelOf(one.engine), 60),
      answers: one.runs,
      ...measureOf(
        one,
        changed.some(({ engine }) => engine === one.engine),
      ),
    })),
    by_tracker: found.by_tracker.slice(0, trackersMax).map((one) => ({
      name: cutText(one.name),
      brand: cutText(one.brand_name),
      answers: one.runs,
      ...measureOf(
        one,
        changed.some(({ tracker_id }) => tracker_id === one.tracker_id),
      ),
    })),
    more_trackers: Math.max(0, tracked.trackers.length - trackersMax),
    trend: trend.map(({ from, rate }) => ({ from, rate })),
    ...(await comparePrompts(reads, tracked.trackers, asked)),
    sources: sources.sources.map(({ domain, is_own, cited, citations }) => ({
      domain: cutText(domain),
      is_own,
      cited,
      citations,
    })),
    more_sources: Math.max(0, sources.total - sources.sources.length),
    incidents: found.incidents
      .slice(0, notesMax)
      .map((one) => ({ ...one, engine: cutText(labelOf(one.engine), 60) })),
    more_incidents: Math.max(0, found.incidents.length - notesMax),
    model_changes: changed.slice(0, notesMax).map(({ engine, from, to, at }) => ({
      engine: cutText(labelOf(engine), 60),
      from: cutText(from, 100),
      to: cutText(to, 100),
      at,
    })),
    more_model_changes: Math.max(0, changed.length - notesMax),
  }
}

type Prompt = VisibilityData['won'][number]

/** Finds the questions whose answers name the brand clearly more or less often than before, and the weakest ones. */
async function comparePrompts(
  reads: ReadContext,
  trackers: readonly { readonly id: string }[],
  asked: Asked,
): Promise<Pick<VisibilityData, 'won' | 'lost' | 'weakest' | 'more_prompts' | 'compared'>> {
  const page = { limit: comparedMax, skip: 0, sort: '-runs' as const }
  let more = 0
  let compared = 0
  const won: Prompt[] = []
  const lost: Prompt[] = []
  const weakest: Prompt[] = []
  for (const [place, { id }] of trackers.entries()) {
    if (place >= trackersMax) break
    const { prompts, total } = await promptPerformance(reads, { tracker_id: id }, asked, page)
    more += total - prompts.length
    for (const one of prompts) {
      const { change, mention_rate_v2: own } = one
      if (one.is_branded || own.rate === null) continue
      const instead =
        one.lost_to === null ? null : one.lost_to.slice(0, 3).map(({ name }) => cutText(name, 80))
      const lineOf = ({ n, rate }: Pick<typeof own, 'n' | 'rate'>): Prompt => ({
        text: cutText(one.text),
        answers: n,
        rate,
        // The rate of the previous period over the same cells. Others cannot stand beside it.
        previous_rate: change.now.rate === rate ? change.before.rate : null,
        instead,
      })
      if (change.change_significant !== null) compared++
      if (change.change_significant === true)
        ((change.difference ?? 0) > 0 ? won : lost).push(lineOf(change.now))
      if (own.rate < 0.5) weakest.push(lineOf(own))
    }
  }
  const sized = (lines: Prompt[]) => lines.toSorted((a, b) => movedBy(b) - movedBy(a)).slice(0, promptsMax)
  return {
    won: sized(won),
    lost: sized(lost),
    more_prompts: more,
    compared,
    weakest: weakest
      .toSorted((a, b) => (a.rate ?? 0) - (b.rate ?? 0) || b.answers - a.answers)
      .slice(0, promptsMax),
  }
}

const movedBy = ({ rate, previous_rate }: Prompt) => Math.abs((rate ?? 0) - (previous_rate ?? 0))
