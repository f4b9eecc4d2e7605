import { charges, limitTable } from '../../core/requests/limit-table'

const windows: Readonly<Record<number, string>> = {
  60: 'a minute',
  900: '15 minutes',
  3600: 'an hour',
  86400: 'a day',
}

interface Limit {
  readonly name: string
  readonly settings: readonly string[]
  readonly times?: number
  readonly windowSeconds: number
  readonly per: string
}

/** The tables of docs/reference/limits.md: what counts against which limit, and every limit. */
export function limitRows(): { charges: string[][]; limits: string[][] } {
  const limits: Readonly<Record<string, Limit>> = limitTable
  return {
    charges: Object.values(charges).map(({ what, against }) => [
      what,
      against.map((name) => `\`${limits[name]?.name}\``).join(', '),
    ]),
    limits: Object.values(limits).map(({ name, settings, times, windowSeconds, per }) => [
      `\`${name}\``,
      settings.map((setting) => `\`${setting}\``).join(' + ') +
        (times === undefined ? '' : `, ${times} times`),
      windows[windowSeconds] ?? `${windowSeconds} s`,
      per,
    ]),
  }
}
