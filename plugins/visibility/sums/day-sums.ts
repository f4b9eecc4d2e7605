import type { Row } from 'renown'
import { pageKey } from 'renown/sources'
import { hasAnswer } from '../records/runStatus'
import type { VisibilityRun } from '../records/VisibilityRun'
import { type SumKind, type SumName, sumKeys, sumNames } from '../records/VisibilitySum'

/** The fields of a run that its sums are made from. */
export const summedFields = [
  'engine',
  'country',
  'model_asked',
  'prompt_id',
  'started_at',
  'status',
  'brand_mentioned',
  'brand_cited',
  'brand_position',
  'stance',
  'competitor_mentions',
  'citations',
  'cost',
  'cost_basis',
  'search_calls',
] as const

type Run = Pick<Row<typeof VisibilityRun>, (typeof summedFields)[number]>
type Key = Partial<Record<(typeof sumKeys)[number], string>>

/** One row of sums, without the tracker and the time. */
export type DaySum = Record<(typeof sumKeys)[number], string> &
  Record<SumName, number> & { readonly kind: SumKind; first_at: string | null }

const zeros = Object.fromEntries(sumNames.map((name) => [name, 0])) as Record<SumName, number>
const noKeys = Object.fromEntries(sumKeys.map((name) => [name, ''])) as Record<
  (typeof sumKeys)[number],
  string
>

/** Returns a row without counts. It replaces a row that nothing is counted in any more. */
export const emptySum = (kind: SumKind, key: Key): DaySum => ({
  kind,
  first_at: null,
  ...noKeys,
  ...key,
  ...zeros,
})

/** Identifies a row among those of one tracker and one time. */
export const keyOf = (row: Pick<DaySum, 'kind' | (typeof sumKeys)[number]>): string =>
  JSON.stringify([row.kind, ...sumKeys.map((name) => row[name])])

/** Sums runs of one tracker and one time. */
export function createDaySums() {
  const rows = new Map<string, DaySum>()
  const at = (kind: SumKind, key: Key): DaySum => {
    const made = emptySum(kind, key)
    const text = keyOf(made)
    const known = rows.get(text)
    if (known) return known
    rows.set(text, made)
    return made
  }
  return {
    rows: rows as ReadonlyMap<string, DaySum>,
    add(run: Run) {
      const { engine, country, prompt_id } = run
      const all = at('engine', { engine, country, model_asked: run.model_asked ?? '' })
      countRun(all, run)
      if (run.status !== 'ok') return
      if (all.first_at === null || run.started_at < all.first_at) all.first_at = run.started_at
      const cell = at('cell', { engine, country, prompt_id })
      cell.runs++
      countAnswer(all, run)
      countAnswer(cell, run)
      addNames(at, run)
      addSources(at, run)
    },
  }
}

function countRun(sum: DaySum, { status, cost, cost_basis, search_calls }: Run): void {
  sum.runs++
  if (status === 'no_answer') sum.no_answer++
  if (status === 'error') sum.errors++
  if (status === 'refused') sum.refused++
  if (hasAnswer(status) && cost_basis !== 'reported' && cost_basis !== 'computed') sum.unpriced++
  sum.usd += cost ?? 0
  sum.searches += search_calls ?? 0
}

function countAnswer(sum: DaySum, run: Run): void {
  sum.answers++
  if (run.brand_cited) sum.citations++
  if (run.stance === 'recommended') sum.recommended++
  if (run.stance !== undefined || !run.brand_mentioned) sum.judged++
  if (!run.brand_mentioned && run.competitor_mentions.length > 0) sum.lost++
  if (!run.brand_mentioned) return
  sum.mentions++
  addPlace(sum, run.brand_position)
}

function addPlace(sum: DaySum, position: number | undefined): void {
  if (position === undefined) return
  sum.placed++
  sum.places += position
}

type At = (kind: SumKind, key: Key) => DaySum

/** An answer counts each name once, with its first position. */
function addNames(at: At, { engine, country, prompt_id, brand_mentioned, competitor_mentions }: Run): void {
  const seen = new Set<string>()
  for (const { name, position } of competitor_mentions) {
    if (seen.has(name)) continue
    seen.add(name)
    const voice = at('voice', { engine, country, name })
    voice.mentions++
    addPlace(voice, position)
    at(brand_mentioned ? 'beside' : 'lost', { engine, country, prompt_id, name }).mentions++
  }
}

function addSources(at: At, { engine, country, citations }: Run): void {
  for (const [name, mine] of Map.groupBy(citations, ({ domain }) => domain)) {
    const source = at('source', { engine, country, name })
    const cited = mine.filter((one) => one.cited)
    if (mine.some((one) => one.is_own)) source.own++
    if (cited.length > 0) source.cited++
    else source.consulted++
    source.citations += cited.length
    for (const { url, position } of cited) {
      if (url !== undefined) {
        const page = { name, url: pageKey(url) }
        for (const sum of [at('page', { engine, country, ...page }), at('page_any', page)]) sum.citations++
      }
      addPlace(source, position)
    }
  }
}
