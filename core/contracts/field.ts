import * as v from 'valibot'
import { day, instant, ownCodes } from './values'

/** The metadata key that names the extension point of `field.provided`. */
export const pointOfNames = 'renown:point'

/** The metadata key that says what an id-like argument of an operation names. */
export const referenceMark = 'renown:reference'

/** The metadata key of how a filter reads the spellings of a name of a closed list. */
export const spellingMark = 'renown:spelling'

/** Returns the stored form of a name, or why there is no such name. */
export type Spelling = (
  text: string,
) => string | { readonly message: string; readonly allowed?: readonly string[] }

/** What an id-like argument names. */
export type ReferenceMark =
  /** A record of this type. In a batch, the operation itself reports the ids that no record has. */
  | { readonly entity: string; readonly isBatch?: true }
  /** No record, because of this. */
  | { readonly freeBecause: string }
  /** A record of any type. Another field says which. */
  | { readonly ofAnyType: true }

interface Range {
  readonly min?: number
  readonly max?: number
}

/**
 * Field schemas with the product's conventions: valibot with a description. Wrap them in `v.optional` if a
 * row may omit the field. Instants are RFC 3339 text, days `YYYY-MM-DD`.
 */
export const field = {
  text: (description: string) => v.pipe(v.string(), v.description(description)),
  /**
   * One word that Renown or a plugin chose: the id of a record, or a name such as `chatgpt`. Answers to agents mark it as
   * words of strangers only if it is more than one word. Use `text` for ids of other services, which anybody may have chosen.
   */
  code: (description: string) => code(description),
  /** A name of a closed list, such as a country. Filters accept its other spellings, and refuse what is none. */
  spelled: (description: string, spelling: Spelling) =>
    v.pipe(v.string(), v.metadata({ words: ownCodes, [spellingMark]: spelling }), v.description(description)),
  codes: (description: string) => v.pipe(v.array(code(description)), v.description(description)),
  /**
   * The id of a record of this type, where the name of the argument does not say it. Before the operation runs, Renown
   * finds the record, and refuses an id that no record has or that is in another workspace. Names that are listed in
   * `namedIn.arguments` of a record type need no declaration: use `text` for them.
   */
  reference: (entity: string, description: string) =>
    v.pipe(
      v.string(),
      v.metadata({ [referenceMark]: { entity } satisfies ReferenceMark }),
      v.description(description),
    ),
  /**
   * Ids of records of this type, 1 to `max`. The operation reports the ids that no record has in `not_found`. Renown
   * refuses the call if an id is in another workspace.
   */
  batch: (entity: string, max: number, description: string) =>
    v.pipe(
      v.array(v.string()),
      v.minLength(1),
      v.maxLength(max),
      v.metadata({ [referenceMark]: { entity, isBatch: true } satisfies ReferenceMark }),
      v.description(description),
    ),
  /** A text that names no record of Renown, although its name ends as that of an id does. Say why. */
  freeId: (description: string, freeBecause: string) =>
    v.pipe(
      v.string(),
      v.metadata({ [referenceMark]: { freeBecause } satisfies ReferenceMark }),
      v.description(description),
    ),
  /** The id of a record, of a type that another field says. Filters by it are refused if no record has the id. */
  anyReference: (description: string) =>
    v.pipe(
      code(description),
      v.metadata({
        words: ownCodes,
        [referenceMark]: { ofAnyType: true } satisfies ReferenceMark,
      }),
      v.description(description),
    ),
  instant: (description: string) => v.pipe(instant(), v.description(description)),
  day: (description: string) => v.pipe(day(), v.description(description)),
  flag: (description: string) => v.pipe(v.boolean(), v.description(description)),
  number: (description: string, range: Range = {}) => numeric(description, range, []),
  integer: (description: string, range: Range = {}) => numeric(description, range, [v.integer()]),
  oneOf: <const Values extends readonly string[]>(values: Values, description: string) =>
    v.pipe(v.picklist(values), v.description(description)),
  /**
   * One of these names, or of the names that plugins provide for an extension point such as `reviews.source`.
   * Accepts any text if there are no names.
   */
  provided: (point: string, names: readonly string[], description: string): v.GenericSchema<string, string> =>
    v.pipe(
      names.length === 0 ? v.string() : v.picklist(names),
      v.metadata({ [pointOfNames]: point }),
      v.description(description),
    ),
  texts: (description: string) => v.pipe(v.array(v.string()), v.description(description)),
  /** An object with undeclared content. */
  anything: (description: string) => v.pipe(v.record(v.string(), v.unknown()), v.description(description)),
} as const

const code = (description: string) =>
  v.pipe(v.string(), v.metadata({ words: ownCodes }), v.description(description))

type NumberAction = v.PipeItem<number, number, v.BaseIssue<unknown>>

function numeric(description: string, { min, max }: Range, first: readonly NumberAction[]) {
  const actions: NumberAction[] = [...first]
  if (min !== undefined) actions.push(v.minValue(min))
  if (max !== undefined) actions.push(v.maxValue(max))
  return v.pipe(v.number(), ...actions, v.description<number, string>(description))
}

/** An IANA time zone that this machine knows, such as `Europe/Madrid`. */
export const timezone = (description: string) =>
  v.pipe(
    v.string(),
    v.check(isTimezone, 'an IANA time zone such as Europe/Madrid'),
    v.metadata({ words: ownCodes }),
    v.description(description),
  )

/** Whether this machine knows the text as an IANA time zone. Offsets such as `+02:00` are not time zones. */
export function isTimezone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone.length > 0
  } catch {
    return false
  }
}
