/**
 * Plain arithmetic for recomputing the figures of reports from rows. It shares no code with the product: what it repeats is
 * the definition of a figure, not its implementation.
 */

/** A row as the store returns it. */
// biome-ignore lint/suspicious/noExplicitAny: rows of many entities, read by the names of their fields
export type Row = Record<string, any>

/** Days of a period, both inclusive. */
export interface Days {
  readonly from: string
  readonly to: string
}

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The calendar day of an instant in a time zone. */
export function dayOf(instant: string, timezone: string): string {
  const known = formatters.get(timezone)
  const made = known ?? new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' })
  formatters.set(timezone, made)
  return made.format(new Date(instant))
}

/** Another day. */
export function plusDays(day: string, days: number): string {
  const date = new Date(`${day}T12:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** Every day of a period. */
export function daysOf({ from, to }: Days): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = plusDays(day, 1)) days.push(day)
  return days
}

/** The Monday of a day's week. */
export function monday(day: string): string {
  return plusDays(day, -((new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7))
}

/** Whether an instant is in a period, by the days of a time zone. */
export function isIn(instant: string | null | undefined, { from, to }: Days, timezone: string): boolean {
  if (instant == null) return false
  const day = dayOf(instant, timezone)
  return day >= from && day <= to
}

/** A share of counts with its Wilson interval. */
export function share(k: number, n: number): Row {
  return { k, n, rate: n === 0 ? null : k / n, ci95: wilson(k, n) }
}

const z = 1.959963984540054

/** The interval of Wilson for k of n. */
export function wilson(k: number, n: number): [number, number] | null {
  if (n <= 0) return null
  const p = k / n
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))
  const centre = (p + (z * z) / (2 * n)) / (1 + (z * z) / n)
  return [Math.max(0, centre - half), Math.min(1, centre + half)]
}

/** The mean. Null of nothing. */
export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}

/** The median. Null of nothing. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  if (sorted.length % 2 === 1) return sorted[middle] as number
  return ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** Adds up a field. */
export function total(rows: readonly Row[], name: string): number {
  let sum = 0
  for (const row of rows) sum += row[name] ?? 0
  return sum
}

/** Rows by the value of a field. */
export function groups(rows: readonly Row[], of: (row: Row) => string): Map<string, Row[]> {
  const found = new Map<string, Row[]>()
  for (const row of rows) {
    const key = of(row)
    const list = found.get(key)
    if (list) list.push(row)
    else found.set(key, [row])
  }
  return found
}

/** The text as a report shows it: at most this many characters. */
export function shortened(text: string, max: number): string {
  const characters = [...text.trim()]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('')
}

/**
 * Compares what a report says with what the rows say. Returns each place that differs, and each number that nobody
 * recomputed.
 */
export function differences(told: unknown, rows: unknown, at = ''): string[] {
  if (typeof told === 'number' && typeof rows === 'number') {
    const limit = Number.isInteger(told) && Number.isInteger(rows) ? 0 : 6e-5
    return Math.abs(told - rows) <= limit ? [] : [`${at}: the report says ${told}, the rows ${rows}`]
  }
  if (Array.isArray(told) && Array.isArray(rows)) {
    const lengths =
      told.length === rows.length ? [] : [`${at}: ${told.length} entries, the rows have ${rows.length}`]
    return [...lengths, ...told.flatMap((one, place) => differences(one, rows[place], `${at}[${place}]`))]
  }
  if (isObject(told) && isObject(rows)) {
    return Object.keys({ ...told, ...rows })
      .filter((name) => name !== 'definition')
      .flatMap((name) => differences(told[name], rows[name], at === '' ? name : `${at}.${name}`))
  }
  const a = JSON.stringify(told)
  const b = JSON.stringify(rows)
  return a === b ? [] : [`${at}: the report says ${a?.slice(0, 200)}, the rows ${b?.slice(0, 200)}`]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The 97.5 % quantile of Student's t, by integrating its density. */
export function quantile(freedom: number): number {
  if (freedom > 5_000) return z
  const area = (to: number) => {
    let sum = 0
    for (let step = 0; step < 2_000; step++) {
      const u = ((step + 0.5) / 2_000) * to
      sum += (1 + Math.tan(u) ** 2 / freedom) ** (-(freedom + 1) / 2) / Math.cos(u) ** 2
    }
    return (sum * to) / 2_000
  }
  const whole = area(Math.PI / 2)
  let low = 0
  let high = Math.PI / 2
  for (let turn = 0; turn < 40; turn++) {
    const middle = (low + high) / 2
    if (area(middle) < 0.95 * whole) low = middle
    else high = middle
  }
  return Math.tan(low)
}
