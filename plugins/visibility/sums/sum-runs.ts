import type { GroupQuery, GroupRow, ReadContext, Where } from 'renown'
import { where } from 'renown'
import { hasAnswer } from '../records/runStatus'
import { VisibilityRun } from '../records/VisibilityRun'
import { type SumName, sumNames } from '../records/VisibilitySum'
import { readColumns } from './read-columns'
import { documentsOf, openDays, type RunSpan } from './run-span'
import { answered } from './scope'
import { startOf, type TrendUnit } from './stretches'

/** Sums that are asked for together, and the fields of runs that they need. */
const parts = {
  statuses: { sums: ['runs', 'answers', 'no_answer', 'errors', 'refused'], by: ['status'] },
  brand: { sums: ['answers', 'mentions', 'citations'], by: ['brand_mentioned', 'brand_cited'] },
  stances: { sums: ['answers', 'mentions', 'recommended', 'judged'], by: ['brand_mentioned', 'stance'] },
  places: { sums: ['placed', 'places'], by: [] },
  firsts: { sums: ['answers'], by: [] },
  costs: { sums: ['runs', 'answers', 'errors', 'usd', 'unpriced', 'searches'], by: ['status', 'cost_basis'] },
} as const satisfies Record<string, { readonly sums: readonly SumName[]; readonly by: readonly string[] }>
type Part = keyof typeof parts

type Key = 'tracker_id' | 'prompt_id' | 'engine' | 'country' | 'model_asked'

/** What is summed, and by what. */
export interface SumQuery {
  readonly of: readonly Part[]
  readonly by: readonly Key[]
  /** Also groups by days, weeks or months. */
  readonly stretch?: TrendUnit
  /** Only runs of these prompts. Default: of all. */
  readonly prompts?: readonly string[]
}

/** The sums of one group. Sums that the query does not ask for are 0. */
export interface RunSum extends Readonly<Record<Key, string>> {
  /** First day of the stretch. */
  readonly stretch: string
  readonly sums: Record<SumName, number>
  /** Start of the first run with an answer. */
  first_at: string | null
}

/** The runs with an answer, judged or not. Only for sums of all statuses. */
export const answersIn = ({
  runs,
  no_answer,
  errors,
  refused,
}: Pick<RunSum['sums'], 'runs' | 'no_answer' | 'errors' | 'refused'>): number =>
  runs - no_answer - errors - refused

/**
 * Sums runs by some of their fields. Reads sealed days from columns, and others from documents. The sums are the same
 * wherever they are read. Fields that a run lacks are empty.
 */
export async function sumRuns(ctx: ReadContext, span: RunSpan, query: SumQuery): Promise<RunSum[]> {
  const groups = new Map<string, RunSum>()
  if (!span.sealed) await addDocuments(ctx, documentsOf(ctx, span, false), query, groups)
  else {
    const isOpen = openDays(span).length > 0
    await Promise.all([
      addColumns(ctx, span, query, groups),
      ...(isOpen ? [addOpenDays(ctx, span, query, groups)] : []),
    ])
  }
  const asked = new Set<string>(query.of.flatMap((part) => [...parts[part].sums]))
  const others = sumNames.filter((name) => !asked.has(name))
  for (const { sums } of groups.values()) for (const name of others) sums[name] = 0
  // A group without any of the sums, such as runs without a position, is no group in documents.
  return [...groups.values()].filter(({ sums }) => sumNames.some((name) => sums[name] > 0))
}

const keys = ['tracker_id', 'prompt_id', 'engine', 'country', 'model_asked'] as const

function groupOf(groups: Map<string, RunSum>, { by }: SumQuery, row: GroupRow, stretch: unknown): RunSum {
  // No key contains this character. A JSON text per row takes longer than all other work.
  let text = String(stretch ?? '')
  for (const name of by) text += `\u0000${row[name] ?? ''}`
  const known = groups.get(text)
  if (known) return known
  const own = keys.map((name) => [name, by.includes(name) ? String(row[name] ?? '') : ''])
  const made = {
    ...(Object.fromEntries(own) as Record<Key, string>),
    stretch: String(stretch ?? ''),
    sums: { ...zeros },
    first_at: null,
  }
  groups.set(text, made)
  return made
}

const zeros = Object.fromEntries(sumNames.map((name) => [name, 0])) as Record<SumName, number>

function seen(group: RunSum, first: unknown): void {
  if (typeof first !== 'string' || first === '') return
  if (group.first_at === null || first < group.first_at) group.first_at = first
}

async function addColumns(
  ctx: ReadContext,
  span: RunSpan,
  query: SumQuery,
  groups: Map<string, RunSum>,
): Promise<void> {
  const { by, of, stretch, prompts } = query
  const names = [...new Set(of.flatMap((part) => parts[part].sums))] as SumName[]
  const { timezone } = ctx.workspace
  const rows = await readColumns(ctx, span, {
    kind: prompts || by.includes('prompt_id') ? 'cell' : 'engine',
    isDaily: stretch !== undefined && stretch !== 'month',
    by: [...by, ...(stretch ? [{ field: 'start', unit: stretch, timezone }] : [])],
    hasFirst: of.includes('firsts'),
    among: prompts ? [where.in('prompt_id', prompts)] : [],
  })
  for (const row of rows) {
    // Rows that were replaced by rows without counts.
    if (names.every((name) => Number(row[name] ?? 0) === 0)) continue
    const group = groupOf(groups, query, row, row.start)
    for (const name of names) group.sums[name] += Number(row[name] ?? 0)
    seen(group, row.first)
  }
}

/** All that sums of open days group by. */
const finest = [...keys, 'status', 'brand_mentioned', 'brand_cited', 'stance', 'cost_basis'] as const

/** Adds the runs of days that are not sealed. They are read once for all sums of a request. */
async function addOpenDays(
  ctx: ReadContext,
  span: RunSpan,
  query: SumQuery,
  groups: Map<string, RunSum>,
): Promise<void> {
  const { period, without = [], scope, sealed } = span
  const { timezone } = ctx.workspace
  const id = JSON.stringify(scope)
  const days = [...(sealed?.open ?? [])].sort()
  const all = { scope, sealed, period: { date_from: days[0] ?? '', date_to: days.at(-1) ?? '' } }
  const read =
    sealed?.groups.get(id) ??
    ctx.rows(VisibilityRun).group({
      where: documentsOf(ctx, all, true),
      by: [...finest, { field: 'started_at', unit: 'day', timezone }],
      measures: [
        { as: 'n', fn: 'count' },
        { as: 'first', fn: 'min', field: 'started_at' },
        { as: 'usd', fn: 'sum', field: 'cost' },
        { as: 'searches', fn: 'sum', field: 'search_calls' },
        { as: 'placed', fn: 'count', field: 'brand_position' },
        { as: 'places', fn: 'sum', field: 'brand_position' },
      ],
    })
  sealed?.groups.set(id, read)
  const isAll = query.of.some((part) => parts[part].by.some((name) => name === 'status'))
  const only = query.prompts && new Set(query.prompts)
  for (const { first, placed, places, ...row } of await read) {
    const day = String(row.started_at)
    if (day < period.date_from || day > period.date_to || (!isAll && row.status !== 'ok')) continue
    if (only && !only.has(String(row.prompt_id))) continue
    if (without.some((one) => one.day === day && one.engine === row.engine)) continue
    const group = groupOf(groups, query, row, query.stretch && startOf(day, query.stretch))
    addCounts(group, query.of.includes('firsts') ? { ...row, first: first ?? null } : row, true)
    if (row.status !== 'ok' || row.brand_mentioned !== true) continue
    group.sums.placed += Number(placed ?? 0)
    group.sums.places += Number(places ?? 0)
  }
}

async function addDocuments(
  ctx: ReadContext,
  within: Where,
  query: SumQuery,
  groups: Map<string, RunSum>,
): Promise<void> {
  const { by, of, stretch, prompts } = query
  const matching = prompts ? where.and(within, where.in('prompt_id', prompts)) : within
  const { timezone } = ctx.workspace
  const own: GroupQuery['by'] = [
    ...by,
    ...(stretch ? [{ field: 'started_at', unit: stretch, timezone } as const] : []),
  ]
  const fields = [...new Set(of.flatMap((part) => [...parts[part].by]))]
  const isAll = fields.includes('status')
  const hasCosts = of.includes('costs')
  const rows = ctx.rows(VisibilityRun)
  const isCounted = of.some((part) => part !== 'places')
  const [counted, placed] = await Promise.all([
    isCounted
      ? rows.group({
          where: isAll ? matching : where.and(matching, answered),
          by: [...own, ...fields],
          measures: [
            { as: 'n', fn: 'count' },
            ...(of.includes('firsts')
              ? [{ as: 'first', fn: 'min' as const, field: 'started_at' as const }]
              : []),
            ...(hasCosts
              ? [
                  { as: 'usd', fn: 'sum' as const, field: 'cost' as const },
                  { as: 'searches', fn: 'sum' as const, field: 'search_calls' as const },
                ]
              : []),
          ],
        })
      : [],
    of.includes('places') ? rows.group(placedQuery(matching, own)) : [],
  ])
  for (const row of counted) addCounts(groupOf(groups, query, row, row.started_at), row, isAll)
  for (const row of placed) {
    const { sums } = groupOf(groups, query, row, row.started_at)
    sums.placed += Number(row.n)
    sums.places += Number(row.places)
  }
}

const placedQuery = (matching: Where, by: GroupQuery['by']): GroupQuery => ({
  where: where.and(matching, answered, where.eq('brand_mentioned', true), where.ne('brand_position', null)),
  by,
  measures: [
    { as: 'n', fn: 'count' },
    { as: 'places', fn: 'sum', field: 'brand_position' },
  ],
})

/** Adds runs that are alike in all fields that were grouped by. */
function addCounts(group: RunSum, row: GroupRow, isAll: boolean): void {
  const { sums } = group
  const n = Number(row.n)
  const status = isAll ? row.status : 'ok'
  sums.runs += n
  sums.usd += Number(row.usd ?? 0)
  sums.searches += Number(row.searches ?? 0)
  if (status === 'no_answer') sums.no_answer += n
  if (status === 'error') sums.errors += n
  if (status === 'refused') sums.refused += n
  if (hasAnswer(status) && row.cost_basis !== 'reported' && row.cost_basis !== 'computed') sums.unpriced += n
  if (status !== 'ok') return
  seen(group, row.first)
  sums.answers += n
  if (row.brand_cited === true) sums.citations += n
  if (row.stance === 'recommended') sums.recommended += n
  if ((row.stance ?? null) !== null || row.brand_mentioned !== true) sums.judged += n
  if (row.brand_mentioned === true) sums.mentions += n
}
