import { type OwnerContext, shiftDay } from 'renown'
import { sumKeys, sumNames, sumTable } from '../records/VisibilitySum'
import { type DaySum, emptySum, keyOf } from '../sums/day-sums'
import { monthOf, nextMonth } from '../sums/run-span'

/** The tracker whose rows are written, and their version. */
export interface Sealing {
  readonly tracker: { readonly id: string; readonly workspace_id: string; readonly location_id: string }
  readonly rev: number
  readonly now: string
}

type Grain = 'day' | 'month'

/** Reads the stored rows of one tracker and some time, summed by their keys. */
async function storedRows(
  ctx: Pick<OwnerContext, 'columns'>,
  { tracker: { id, workspace_id } }: Sealing,
  grain: Grain,
  start: string,
  before: string,
): Promise<DaySum[]> {
  const sums = sumNames.map((name) => `sum(${name}) AS sum_${name}`).join(', ')
  const rows = await ctx.columns.query<Record<string, string | number | null>>(
    `SELECT kind, ${sumKeys.join(', ')}, min(first_at) AS first, ${sums} FROM ${sumTable.name} FINAL
     WHERE workspace_id = {workspace_id:String} AND tracker_id = {id:String} AND grain = {grain:String}
       AND start >= {start:Date} AND start < {before:Date}
     GROUP BY kind, ${sumKeys.join(', ')}`,
    { workspace_id, id, grain, start, before },
  )
  return rows.map((row) => ({
    ...emptySum(
      row.kind as DaySum['kind'],
      Object.fromEntries(sumKeys.map((name) => [name, String(row[name])])),
    ),
    ...Object.fromEntries(sumNames.map((name) => [name, Number(row[`sum_${name}`])])),
    first_at: row.first === null ? null : String(row.first),
  }))
}

/** Stores the rows of a day. Rows that it had before and has no more are replaced by rows without counts. */
export async function writeDay(
  ctx: Pick<OwnerContext, 'columns'>,
  sealing: Sealing,
  day: string,
  rows: ReadonlyMap<string, DaySum>,
): Promise<void> {
  const stored = await storedRows(ctx, sealing, 'day', day, shiftDay(day, 1))
  await write(ctx, sealing, 'day', day, rows, stored)
}

/** Sums the stored rows of all days of a month, and stores them as rows of the month. */
export async function writeMonth(
  ctx: Pick<OwnerContext, 'columns'>,
  sealing: Sealing,
  day: string,
): Promise<void> {
  const month = monthOf(day)
  const before = nextMonth(monthOf(day))
  const days = await storedRows(ctx, sealing, 'day', month, before)
  // Nobody reads the sums of engines by month.
  const rows = days.filter((row) => row.kind !== 'engine' && !isEmpty(row))
  const stored = await storedRows(ctx, sealing, 'month', month, before)
  await write(ctx, sealing, 'month', month, new Map(rows.map((row) => [keyOf(row), row])), stored)
}

const emptied = (row: DaySum): DaySum =>
  emptySum(row.kind, Object.fromEntries(sumKeys.map((name) => [name, row[name]])))

const isEmpty = (row: DaySum) => sumNames.every((name) => row[name] === 0)

async function write(
  ctx: Pick<OwnerContext, 'columns'>,
  { tracker, rev, now }: Sealing,
  grain: Grain,
  start: string,
  rows: ReadonlyMap<string, DaySum>,
  stored: readonly DaySum[],
): Promise<void> {
  const gone = stored.filter((row) => !isEmpty(row) && !rows.has(keyOf(row)))
  const base = { id: '', workspace_id: tracker.workspace_id, location_id: tracker.location_id }
  const fixed = { ...base, tracker_id: tracker.id, grain, start, rev, created_date: now, updated_date: now }
  const columns = Object.keys(sumTable.columns) as (keyof typeof sumTable.columns)[]
  await ctx.columns.insert(
    sumTable.name,
    columns,
    [...rows.values(), ...gone.map(emptied)].map((row) => {
      const whole = { ...row, ...fixed }
      return columns.map((column) => whole[column])
    }),
  )
}
