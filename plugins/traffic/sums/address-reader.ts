import { oneLine } from 'renown'
import type { IgnoredFilter } from './asked'

const shownMax = 60

/** Reads one query parameter after another, and lists each value that the page cannot use. */
export interface AddressReader {
  /** Returns what `parse` makes of the parameter; null where it is not sent, is empty, or `parse` returns null. */
  read<T>(name: string, parse: (text: string) => T | null, accepted: string): T | null
  readonly ignored: readonly IgnoredFilter[]
}

/** A reader of the query of a page. Every filter passes through it, so that none can be ignored in silence. */
export function addressReader(query: URLSearchParams): AddressReader {
  const ignored: IgnoredFilter[] = []
  const ignore = (name: string, value: string, accepted: string) => {
    const shown = [...oneLine(value, shownMax + 1)]
    const isCut = shown.length > shownMax
    ignored.push({ name, value: isCut ? `${shown.slice(0, shownMax).join('')}…` : shown.join(''), accepted })
  }
  return {
    ignored,
    read(name, parse, accepted) {
      const [text = '', second] = query.getAll(name)
      if (second !== undefined) ignore(name, second, 'Send it once. The first value is used.')
      if (text === '') return null
      const value = parse(text)
      if (value === null) ignore(name, text, accepted)
      return value
    },
  }
}
