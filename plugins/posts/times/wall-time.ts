import { refusedField } from 'renown'

/** A local time in a time zone. */
export interface WallTime {
  /** `YYYY-MM-DDTHH:MM`. */
  readonly wall_time: string
  readonly timezone: string
  /** Which one to use if the local time occurs twice. Default: the earlier one. */
  readonly occurrence?: 'earlier' | 'later' | undefined
}

/** The instant of a local time. */
export interface PlannedTime {
  readonly instant: string
  /** Set if the local time does not exist or occurs twice: a sentence for people. */
  readonly notice?: string
}

/**
 * Returns the instant of a local time by the time zone database of this process. A time that the clocks skip becomes the
 * time as much later. Of a time that occurs twice, the earlier one is used unless the person chose the later one. Throws an
 * `invalid_field` Refusal if it is not a local time.
 */
export function instantOf({ wall_time, timezone, occurrence }: WallTime): PlannedTime {
  const local = plainOf(wall_time)
  const earlier = local.toZonedDateTime(timezone, { disambiguation: 'earlier' })
  const later = local.toZonedDateTime(timezone, { disambiguation: 'later' })
  const day = local.toPlainDate().toString()
  if (earlier.epochMilliseconds === later.epochMilliseconds) return { instant: utc(earlier) }
  const isGap = !earlier.toPlainDateTime().equals(local)
  if (isGap) {
    const used = later.toPlainDateTime()
    const notice = `${clock(local)} does not exist on ${day} in ${timezone}, because the clocks go forward. The post is scheduled for ${clock(used)}.`
    return { instant: utc(later), notice }
  }
  const chosen = occurrence === 'later' ? later : earlier
  const which = occurrence === 'later' ? 'second' : 'first'
  const notice = `${clock(local)} occurs twice on ${day} in ${timezone}, because the clocks go back. The post is scheduled for the ${which} one.`
  return { instant: utc(chosen), notice }
}

const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/

/** Later times cannot be stored in every time zone, and nobody plans them on purpose. */
const yearMax = 2199

function plainOf(text: string): Temporal.PlainDateTime {
  if (form.test(text) && Number(text.slice(0, 4)) > yearMax)
    throw refusedField('wall_time', `The time must be before the year ${yearMax + 1}.`)
  const refusal = refusedField('wall_time', 'wall_time must be a local time such as 2026-12-01T09:00.')
  if (!form.test(text)) throw refusal
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' })
  } catch {
    throw refusal
  }
}

const utc = ({ epochMilliseconds }: Temporal.ZonedDateTime) => new Date(epochMilliseconds).toISOString()
const clock = (time: Temporal.PlainDateTime) => time.toPlainTime().toString({ smallestUnit: 'minute' })
