import zones from './zones.json'

const hours = (offset: number) => offset * 60

/**
 * Abbreviations of zones with one meaning, in minutes east of UTC: those of RFC 822, and others that no second zone of note
 * shares. `IST`, `AST`, `GST` and more have two, and single letters were used with both signs.
 */
const offsets = new Map<string, number>(Object.entries(zones))

/** Names of places whose offset depends on the day. */
const places = new Map([
  ['ET', 'America/New_York'],
  ['PT', 'America/Los_Angeles'],
])

/** A zone: minutes east of UTC, or the place whose clocks say them. */
export type Zone = number | { readonly place: string }

/** Returns the zone of an abbreviation in capitals. Undefined if it is unknown or has several meanings. */
export function zoneOf(word: string): Zone | undefined {
  const place = places.get(word)
  return place === undefined ? offsets.get(word) : { place }
}

/** The largest offset of any place, in minutes. */
const offsetMax = hours(14)

/** Returns the zone of a sign, hours and minutes. Undefined if no place on Earth has it. */
export function offsetOf(sign: string, hour: number, minute: number): number | undefined {
  const size = hours(hour) + minute
  if (minute > 59 || size > offsetMax) return undefined
  return sign === '+' ? size : -size
}

/** Returns the instant at which clocks of a zone show a time. Undefined for an unknown place or a time that no clock showed. */
export function instantIn(zone: Zone, localMs: number): number | undefined {
  if (typeof zone === 'number') return localMs - zone * 60_000
  const shown = clockOf(zone.place)
  if (shown === undefined) return undefined
  // A clock is at most 14 hours from UTC, and changes at most once in that time: the second guess is right.
  const first = localMs - (shown(localMs) - localMs)
  const second = first - (shown(first) - localMs)
  return shown(second) === localMs ? second : undefined
}

/** Returns the function that says what the clocks of a place show at an instant, as if that were UTC. */
function clockOf(place: string): ((ms: number) => number) | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
      timeZone: place,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    return (ms) => {
      const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
      const at = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
      const whole = Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'))
      return whole + (((ms % 1_000) + 1_000) % 1_000)
    }
  } catch {
    return undefined
  }
}
