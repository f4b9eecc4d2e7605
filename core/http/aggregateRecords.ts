import * as v from 'valibot'
import type { RecordsContext } from '../contexts/records'
import type { WorkspaceInfo } from '../contracts/context'
import type { Where } from '../contracts/where'
import { defineOperation, field, ours } from '../kit'
import { type PeriodWish, periodInput, periodOf, todayOf } from '../kit/periods'
import { asFilter, usualRows } from '../kit/usual-rows'
import { nowDoing } from '../work/scope'
import { dateField, type Key, keyOf, type MeasureWish, measureOf, refused } from './aggregate-wish'
import { computed, functions, type Group, groupsOf, sizeOf } from './aggregated'
import { chosenWorkspaces, namesMax, workspacesMax } from './chosen-workspaces'
import { comparedDays, type Days } from './compared-days'
import { recordFilter } from './countRecords'

const keysMax = 2
const measuresMax = 8
const groupsMax = 200

const scalar = v.union([v.string(), v.number(), v.boolean(), v.null()])

/** Answers questions about many records at once, so that nobody has to read and add up rows. */
export const aggregateRecords = defineOperation({
  name: 'aggregateRecords',
  summary:
    'Count, sum and average records by fields or days, also compared with a period before and across workspaces',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    entity: v.pipe(field.text('As in list_records'), v.examples(['Review'])),
    q: v.optional(recordFilter),
    group_by: v.optional(
      v.pipe(
        v.array(v.string()),
        v.maxLength(keysMax),
        v.description(
          'At most 2 fields. A date takes :day, :week or :month. Also workspace, and author of Mention',
        ),
        v.examples([['source', 'review_created_at:month']]),
      ),
      [],
    ),
    measures: v.optional(
      v.pipe(
        v.array(v.string()),
        v.minLength(1),
        v.maxLength(measuresMax),
        v.description(`count, or ${functions.join(', ')} of a number field, such as avg:star_rating`),
        v.examples([['count', 'avg:star_rating']]),
      ),
      ['count'],
    ),
    ...periodInput,
    date_field: v.optional(field.text('Date of the period. Default: period_field of describe_records')),
    compare: v.optional(
      field.oneOf(
        ['previous', 'calendar'],
        'previous: as many days before. calendar: the same part of the month, week or year before',
      ),
    ),
    workspaces: v.optional(
      v.pipe(
        v.array(v.string()),
        v.minLength(1),
        v.maxLength(workspacesMax),
        v.description('Ids or names, or ["*"] for all. Default: this workspace'),
        v.examples([['*']]),
      ),
    ),
    limit: v.optional(field.integer('Maximum groups', { min: 1, max: groupsMax }), 50),
  }),
  output: v.object({
    entity: field.code('Record type'),
    date_field: v.optional(field.code('The date that the period is about')),
    period: v.optional(
      v.object({ date_from: field.day('First day'), date_to: field.day('Last day, inclusive') }),
    ),
    compared_with: v.optional(
      v.object({ date_from: field.day('First day'), date_to: field.day('Last day, inclusive') }),
    ),
    groups: v.pipe(
      v.array(
        v.object({
          keys: v.pipe(
            v.record(v.string(), scalar),
            v.description('Values of group_by. Null: rows without a value'),
          ),
          count: field.integer('Records', { min: 0 }),
          values: v.optional(
            v.pipe(
              v.record(v.string(), v.nullable(v.number())),
              v.description('By measure. Null: no record has a value'),
            ),
          ),
          with_value: v.optional(
            v.pipe(v.record(v.string(), v.number()), v.description('Records that have a value, by field')),
          ),
          previous_count: v.optional(field.integer('Records of the previous period', { min: 0 })),
          previous_values: v.optional(
            v.pipe(
              v.record(v.string(), v.nullable(v.number())),
              v.description('The same of the previous period'),
            ),
          ),
        }),
      ),
      v.description('Dates in order; otherwise the largest first'),
    ),
    groups_in_all: field.integer('Number of groups. If it is larger than the list, narrow q', { min: 0 }),
    workspaces: v.optional(field.integer('Workspaces that were read', { min: 0 })),
    usual_q: v.optional(ours(field.anything('Added to q, because figures of this type do so'))),
    hint: v.optional(ours(field.text('How to count the rows that usual_q leaves out'))),
    counted_at: field.instant('When this was counted'),
  }),
  async run(context, input) {
    const ctx = context as RecordsContext
    const { entity, fields } = ctx.fieldsOfRecords(input.entity)
    const keys = input.group_by.map((text, place) => keyOf(text, place, fields))
    const measures = input.measures.map((text, place) => measureOf(text, place, fields))
    const usual = usualRows(
      entity,
      input.q,
      keys.map((key) => key.field.split('.')[0] ?? ''),
    )
    const wish = wishOf(input)
    const isByDate = keys.some(({ unit }) => unit !== undefined)
    if (isByDate && input.compare !== undefined)
      throw refused('/compare', 'compares no days with other days: leave out the date in group_by', [])
    const date_field = dateField(input.date_field, entity, fields)
    const today = todayOf(ctx)
    const spans =
      wish === null && input.compare === undefined ? null : spansOf(wish ?? {}, input.compare, today)
    const workspaces = input.workspaces ? await chosenWorkspaces(ctx, input.workspaces) : null
    const own = keys.some(({ isWorkspace }) => isWorkspace) ? await withName(ctx) : ctx.workspace
    const read = (span: Days | null) =>
      everywhere(ctx, { ...input, keys, measures, date_field, usual }, workspaces ?? [own], span)
    const now = await read(spans?.period ?? null)
    const before = spans?.before ? await read(spans.before) : null
    const names = measures.flatMap(({ text, field }) => (field === undefined ? [] : [{ text, field }]))
    const all = [...new Set([...now.keys(), ...(before?.keys() ?? [])])].map((key) => {
      const group = now.get(key)
      const earlier = before?.get(key)
      return { group: group ?? empty(earlier), earlier: before ? (earlier ?? empty(group)) : null }
    })
    const ordered = isByDate
      ? all.sort(byKeys)
      : all.sort((a, b) => b.group.count - a.group.count || byKeys(a, b))
    return {
      entity: entity.name,
      ...(spans === null ? {} : { date_field, period: spans.period }),
      ...(spans?.before ? { compared_with: spans.before } : {}),
      groups: ordered.slice(0, input.limit).map(({ group, earlier }) => ({
        keys: Object.fromEntries(group.keys.map((value, place) => [input.group_by[place] ?? '', value])),
        count: group.count,
        ...(names.length === 0
          ? {}
          : { values: valuesOf(measures, group), with_value: sizesOf(names, group) }),
        ...(earlier === null ? {} : { previous_count: earlier.count }),
        ...(earlier === null || names.length === 0 ? {} : { previous_values: valuesOf(measures, earlier) }),
      })),
      groups_in_all: ordered.length,
      ...(workspaces ? { workspaces: workspaces.length } : {}),
      ...(usual.length === 0 ? {} : { usual_q: asFilter(usual), hint: usualHint }),
      counted_at: ctx.now().toISOString(),
    }
  },
})

const usualHint =
  'Counted with usual_q, as all figures are. Name its fields in q to count the other rows too.'

/** A group with the values of each measured number. */
interface Measured extends Group {
  readonly numbers: Map<string, Group>
}

function wishOf({ period, days, date_from, date_to }: PeriodWish): PeriodWish | null {
  const wish = { period, days, date_from, date_to }
  if (Object.values(wish).every((one) => one === undefined)) return null
  return Object.fromEntries(Object.entries(wish).filter(([, one]) => one !== undefined))
}

function spansOf(wish: PeriodWish, compare: 'previous' | 'calendar' | undefined, today: string) {
  const { period, previous } = periodOf(wish, { today, days: 28 })
  const days = ({ date_from, date_to }: Days): Days => ({ date_from, date_to })
  if (compare === undefined) return { period: days(period), before: null }
  if (compare === 'previous') return { period: days(period), before: days(previous) }
  return { period: days(period), before: comparedDays(wish, period, today) }
}

/** Groups have names of workspaces, also if only the caller's own is read. */
const withName = async (ctx: RecordsContext): Promise<WorkspaceInfo & { readonly name?: string }> =>
  (await ctx.workspaces(namesMax)).find(({ id }) => id === ctx.workspace.id) ?? ctx.workspace

interface Reading {
  readonly entity: string
  readonly q?: Readonly<Record<string, unknown>> | undefined
  readonly keys: readonly Key[]
  readonly measures: readonly MeasureWish[]
  readonly date_field: string
  readonly usual: readonly Where[]
}

/** Workspaces that are read at once. */
const atOnce = 100

/** Reads workspaces behind their clamp, and joins their groups. */
async function everywhere(
  ctx: RecordsContext,
  { entity, q, keys, measures, date_field, usual }: Reading,
  workspaces: readonly (WorkspaceInfo & { readonly name?: string })[],
  span: Days | null,
): Promise<Map<string, Measured>> {
  const within = span ? { field: date_field, ...span } : undefined
  const by = keys.filter(({ isWorkspace }) => !isWorkspace)
  const numbers = [...new Set(measures.flatMap(({ field }) => field ?? []))]
  const groups = new Map<string, Measured>()
  for (let from = 0; from < workspaces.length; from += atOnce) {
    nowDoing(`Reading workspace ${from + 1} of ${workspaces.length}`)
    const some = workspaces.slice(from, from + atOnce)
    for (const value of numbers.length === 0 ? [undefined] : numbers) {
      const read = await ctx.groupRecords({ entity, q, by, usual, value, within }, some)
      const placed = some.flatMap((workspace) =>
        (read.get(workspace.id) ?? []).map((row) => ({
          ...row,
          keys: withWorkspace(keys, row.keys, workspace),
        })),
      )
      for (const [key, group] of groupsOf(placed)) addTo(groups, key, group, value, value === numbers[0])
    }
  }
  // Grouped by nothing but workspaces, one without records has a group too.
  for (const workspace of by.length > 0 ? [] : workspaces) {
    const own = withWorkspace(keys, [], workspace)
    const key = JSON.stringify(own)
    if (!groups.has(key)) groups.set(key, { ...empty(undefined), keys: own })
  }
  return groups
}

/** A group of several numbers is read once for each, so that its rows count once. */
function addTo(
  groups: Map<string, Measured>,
  key: string,
  group: Group,
  number: string | undefined,
  counts: boolean,
): void {
  const known = groups.get(key) ?? { keys: group.keys, count: 0, values: new Map(), numbers: new Map() }
  groups.set(key, known)
  if (counts) known.count += group.count
  if (number === undefined) return
  const values = known.numbers.get(number) ?? {
    keys: group.keys,
    count: 0,
    values: new Map<number, number>(),
  }
  known.numbers.set(number, values)
  for (const [value, count] of group.values) values.values.set(value, (values.values.get(value) ?? 0) + count)
}

function withWorkspace(
  keys: readonly Key[],
  values: GroupedKeys,
  { id, name }: { readonly id: string; readonly name?: string },
): GroupedKeys {
  const rest = [...values]
  return keys.map(({ isWorkspace }) => (isWorkspace ? (name ?? id) : (rest.shift() ?? null)))
}

type GroupedKeys = Group['keys']

const empty = (like: Group | undefined): Measured => ({
  keys: like?.keys ?? [],
  count: 0,
  values: new Map(),
  numbers: new Map(),
})

const valuesOf = (measures: readonly MeasureWish[], { numbers }: Measured) =>
  Object.fromEntries(
    measures.flatMap(({ text, fn, field }) => {
      if (fn === undefined || field === undefined) return []
      const group = numbers.get(field)
      return [[text, group ? computed(fn, group) : null]]
    }),
  )

const sizesOf = (names: readonly { readonly field: string }[], { numbers }: Measured) =>
  Object.fromEntries(names.map(({ field }) => [field, sizeOf(numbers.get(field) ?? empty(undefined))]))

const byKeys = (a: { readonly group: Group }, b: { readonly group: Group }): number => {
  for (const [place, one] of a.group.keys.entries()) {
    const other = b.group.keys[place] ?? null
    if (one === other) continue
    // Rows without a value come last.
    if (one === null) return 1
    if (other === null) return -1
    return one < other ? -1 : 1
  }
  return 0
}
