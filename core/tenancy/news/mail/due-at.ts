import type { Frequency } from './MailChoice'

const burstMs = 60_000
const mailHour = 8
const monday = 1

/**
 * Returns when the next mail may be sent: a minute from now, at the next 08:00, or at 08:00 of the next Monday in the zone of
 * the workspace. Undefined for `off`.
 */
export function dueAt(frequency: Frequency, timezone: string, now: Date): string | undefined {
  if (frequency === 'off') return undefined
  if (frequency === 'at_once') return new Date(now.getTime() + burstMs).toISOString()
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone)
  let next = here.withPlainTime({ hour: mailHour })
  if (Temporal.ZonedDateTime.compare(next, here) <= 0) next = next.add({ days: 1 })
  if (frequency === 'weekly') next = next.add({ days: (monday - next.dayOfWeek + 7) % 7 })
  // A clock change can move 08:00: the wall time is set again after days were added.
  return new Date(next.withPlainTime({ hour: mailHour }).epochMilliseconds).toISOString()
}
