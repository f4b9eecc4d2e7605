/** When a schedule makes its reports. */
export interface Cadence {
  readonly cadence: 'weekly' | 'monthly' | 'quarterly'
  /** Weekly: 1 is Monday. Monthly: day of the month. Quarterly: day of the first month of a quarter. */
  readonly day: number
  readonly timezone: string
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Returns when a schedule makes reports, in words: `Weekly, on Tuesday`. */
export function scheduleWords({ cadence, day }: Pick<Cadence, 'cadence' | 'day'>): string {
  if (cadence === 'weekly') return `Weekly, on ${weekdays[day - 1] ?? `day ${day}`}`
  return cadence === 'monthly' ? `Monthly, on day ${day}` : `Quarterly, on day ${day} of the first month`
}

/** Reports are made at this hour of the day. */
const hour = 6

/** Returns the first time after an instant at which a schedule makes a report. A month without the day uses its last day. */
export function nextRun(schedule: Cadence, after: Date): Date {
  const start = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(schedule.timezone)
  for (let step = -1; step < 6; step++) {
    const at = runOf(schedule, start.toPlainDate(), step)
    if (at > after) return at
  }
  throw new Error('A schedule has no next run')
}

/** Returns the run of the week, month or quarter that is `step` of them after that of a day. */
function runOf({ cadence, day, timezone }: Cadence, from: Temporal.PlainDate, step: number): Date {
  const date = dateOf(cadence, day, from, step)
  const local = date.toPlainDateTime({ hour })
  return new Date(local.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds)
}

function dateOf(cadence: Cadence['cadence'], day: number, from: Temporal.PlainDate, step: number) {
  if (cadence === 'weekly') return from.subtract({ days: from.dayOfWeek - day }).add({ weeks: step })
  const months = cadence === 'monthly' ? 1 : 3
  const first = from.with({
    day: 1,
    month: cadence === 'monthly' ? from.month : from.month - ((from.month - 1) % 3),
  })
  const month = first.add({ months: months * step })
  return month.with({ day: Math.min(day, month.daysInMonth) })
}

/** The last full week (from Monday), month or quarter before the local day of a run. */
export function reportedPeriod(
  { cadence, timezone }: Cadence,
  run: Date,
): { readonly period_start: string; readonly period_end: string } {
  const day = Temporal.Instant.fromEpochMilliseconds(run.getTime()).toZonedDateTimeISO(timezone).toPlainDate()
  if (cadence === 'weekly') {
    const monday = day.subtract({ days: day.dayOfWeek - 1 })
    return {
      period_start: String(monday.subtract({ days: 7 })),
      period_end: String(monday.subtract({ days: 1 })),
    }
  }
  const months = cadence === 'monthly' ? 1 : 3
  const first = day.with({
    day: 1,
    month: cadence === 'monthly' ? day.month : day.month - ((day.month - 1) % 3),
  })
  return { period_start: String(first.subtract({ months })), period_end: String(first.subtract({ days: 1 })) }
}
