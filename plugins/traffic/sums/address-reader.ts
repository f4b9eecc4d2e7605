import { type IgnoredValue, oneLine } from 'renown'

const shownMax = 60
/** Maximum unknown parameters that are listed. */
const restMax = 10
/** Parameters that every page has: its workspace, and the last action. */
const ofEveryPage = new Set(['workspace', 'done'])

function cut(text: string): string {
  const shown = [...oneLine(text, shownMax + 1)]
  return shown.length > shownMax ? `${shown.slice(0, shownMax).join('')}…` : shown.join('')
}

/** Reads query parameters one by one, and lists each invalid value. */
export interface AddressReader {
  /** Returns the parsed value of a parameter. Null if it is missing or empty, or if `parse` returns null. */
  read<T>(name: string, parse: (text: string) => T | null, accepted: string): T | null
  /** Lists every parameter of the query that was not read. Call it last. */
  rest(): void
  readonly ignored: readonly IgnoredValue[]
}

/** Creates the reader of a page's query. Every filter uses it, so that no value is ignored silently. */
export function addressReader(query: URLSearchParams): AddressReader {
  const ignored: IgnoredValue[] = []
  const ignore = (name: string, value: string, accepted: string) => {
    ignored.push({ name, value: cut(value), accepted })
  }
  const known = new Set<string>()
  return {
    ignored,
    read(name, parse, accepted) {
      known.add(name)
      const [text = '', second] = query.getAll(name)
      if (second !== undefined) ignore(name, second, 'Send it once. The first value is used.')
      if (text === '') return null
      const value = parse(text)
      if (value === null) ignore(name, text, accepted)
      return value
    },
    rest() {
      const names = [...new Set(query.keys())].filter((name) => !known.has(name) && !ofEveryPage.has(name))
      for (const name of names.slice(0, restMax))
        ignore(
          cut(name),
          query.get(name) ?? '',
          `This page has no such filter. Use ${[...known].join(', ')}.`,
        )
    },
  }
}
