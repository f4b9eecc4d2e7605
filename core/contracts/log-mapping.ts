import * as v from 'valibot'
import type { AgentRegistry } from './agent-registry'

/** The facts of a request that a mapping finds in the JSON records of a site. */
export const mappedFacts = [
  'time',
  'address',
  'method',
  'path',
  'host',
  'status',
  'user_agent',
  'referrer',
  'id',
] as const
/** One of these facts. */
export type MappedFact = (typeof mappedFacts)[number]

/** How a site writes times. `auto` recognizes all others by their form and size. */
export const mappedTimes = [
  'auto',
  'iso',
  'clf',
  'seconds',
  'milliseconds',
  'microseconds',
  'nanoseconds',
] as const
/** One of these formats. */
export type MappedTime = (typeof mappedTimes)[number]

/** The most characters and parts of the path of a field. */
export const fieldPathMax = { characters: 200, parts: 8 } as const

/** Returns the parts of the path of a field. A backslash before a dot keeps the dot in the name. */
export function fieldPathParts(path: string): string[] {
  const parts: string[] = []
  let part = ''
  for (let at = 0; at < path.length; at++) {
    const character = path.charAt(at)
    if (character === '.') {
      parts.push(part)
      part = ''
    } else part += character === '\\' && at + 1 < path.length ? path.charAt(++at) : character
  }
  return [...parts, part]
}

/** Returns the path of a field from the names on the way to it. */
export const fieldPathOf = (parts: readonly string[]): string =>
  parts.map((part) => part.replace(/[\\.]/g, '\\$&')).join('.')

const fieldPath = v.pipe(
  v.string(),
  v.minLength(1, 'a field, such as client.ip'),
  v.maxLength(fieldPathMax.characters, `at most ${fieldPathMax.characters} characters`),
  v.check(
    (path) => fieldPathParts(path).length <= fieldPathMax.parts,
    `at most ${fieldPathMax.parts} names with dots between them`,
  ),
)

const pathOf = (description: string) => v.pipe(fieldPath, v.description(description))

/** The fields of a mapping, each the path of a field: names with dots between them. */
export const logMappingEntries = {
  path: pathOf('Field of the path, the URL or the request line, such as request.uri'),
  user_agent: pathOf('Field of the user agent'),
  time: v.optional(
    pathOf('Field of the time. Without one, lines are rejected unless an envelope has a time'),
  ),
  time_format: v.optional(v.pipe(v.picklist(mappedTimes), v.description('Format of the time. Default auto'))),
  address: v.optional(pathOf("Field of the visitor's IP address")),
  method: v.optional(pathOf('Field of the method. Default GET')),
  host: v.optional(pathOf('Field of the host')),
  status: v.optional(pathOf('Field of the status')),
  referrer: v.optional(pathOf('Field of the referrer')),
  id: v.optional(pathOf("Field of the request's own id, so that a line that is sent again counts once")),
}

/** Where the JSON records of a site contain the facts of a request. `path` may be a path, a URL or a request line. */
export const logMappingSchema = v.object(logMappingEntries)
/** A mapping. It contains names of fields, and nothing from a log. */
export type LogMapping = v.InferOutput<typeof logMappingSchema>

/** The bounds of the lines that people paste to try a mapping. */
export const logSampleMax = { lines: 10, characters: 65_536 } as const

/** Lines of a site's log, to try how they are read. */
export interface LogSample {
  readonly text: string
  /** The domain of the site. */
  readonly domain: string
  readonly count_search_engines: boolean
  /** The registry of agents in use. Absent: that of the release. */
  readonly agents?: AgentRegistry | undefined
  /** The mapping to try. Null to let Renown propose one. */
  readonly mapping: LogMapping | null
}

/** What a line of a sample becomes. Contains no address. */
export interface LogSampleLine {
  /** The number of the line, from 1. */
  readonly line: number
  readonly outcome: 'counted' | 'ignored' | 'rejected'
  /** Why it does not count, or what is missing. */
  readonly reason: string | null
  /** The request in the line, if one was read. */
  readonly request: {
    /** RFC 3339. Null if the line has no time. */
    readonly time: string | null
    readonly address: 'read' | 'unreadable' | 'none'
    readonly method: string
    readonly path: string
    readonly host: string | null
    readonly status: number | null
    /** The agent that the user agent names. */
    readonly agent: string | null
    readonly has_user_agent: boolean
    readonly referrer: string | null
    readonly has_id: boolean
  } | null
}

/** How a sample is read. */
export interface LogSampleResult {
  /** The sample with every address replaced, so that it can be shown again. */
  readonly text: string
  /** The mapping that was tried, or that Renown proposes. Null if there is none. */
  readonly mapping: LogMapping | null
  readonly lines: readonly LogSampleLine[]
  /** The paths of the fields in the records, for people to choose from. */
  readonly fields: readonly string[]
  /** How many lines are read without a mapping, because Renown knows their format. */
  readonly known_lines: number
}

/** Reads a sample. Stores nothing. */
export type ReadLogSample = (sample: LogSample, now: Date) => Promise<LogSampleResult>
