import type { AnyOperation } from '../contracts/operation'
import { type Cut, type Fitting, fitted, type Printed, type Room } from '../kit/model-text'
import type { Words } from '../kit/words'
import type { Arguments } from './tool'

/**
 * What a list takes if the caller does not say how many rows it wants: about 2,500 tokens. An assistant that looks around should
 * not fill its memory with rows.
 */
export const shortRoom: Room = { characters: 5_600, text: 300, cut: 'are in get_record' }

type Row = Readonly<Record<string, unknown>>

/** Nested values of rows that are longer are left out of short lists. */
const nestedMax = 200

/** Fields that a short list leaves out, because the rows do not fit with them. */
export interface LeftOut {
  /** Those with long nested values. */
  readonly nested: readonly string[]
  /** Those that the declaration calls seldom. */
  readonly seldom: readonly string[]
}

/** Returns the fields that a short list of rows leaves out. */
export function fieldsLeftOut(rows: readonly Row[], seldom: readonly string[] = []): LeftOut {
  if (JSON.stringify(rows).length <= shortRoom.characters) return { nested: [], seldom: [] }
  const found = rows.flatMap((row) =>
    Object.keys(row).filter(
      (name) =>
        row[name] !== null && typeof row[name] === 'object' && JSON.stringify(row[name]).length > nestedMax,
    ),
  )
  return { nested: [...new Set(found)].sort(), seldom }
}

function valueAt(row: Row, name: string): unknown {
  const [head = '', inside] = name.split('.')
  const value = row?.[head]
  return inside === undefined || value === undefined || value === null ? value : (value as Row)[inside]
}

/** Returns rows without some of their fields, and then without nulls. `mention.status` is a field of a field. */
export function withoutFields(rows: readonly Row[], names: readonly string[]): readonly Row[] {
  if (names.length === 0) return rows
  const left = new Set(names)
  const short = (row: Row, at: string): Row =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
        if (value === null || left.has(`${at}${name}`)) return []
        const isNested = at === '' && typeof value === 'object' && !Array.isArray(value)
        return [[name, isNested ? short(value as Row, `${name}.`) : value]]
      }),
    )
  return rows.map((row) => short(row, ''))
}

/** How many rows the list of an answer has that was cut to fit, or null if nothing was cut. */
export function rowsLeft({ value: { truncated } }: Printed): number | null {
  const cuts = Array.isArray(truncated) ? (truncated as Cut[]) : []
  // Lists inside rows may be cut while all rows are left.
  return cuts.find(({ field }) => !field.includes('.'))?.shown ?? null
}

/** What a caller of a tool did not ask for, so that its answer is short. */
export interface Shortened {
  readonly words: Words
  readonly skip: number | undefined
  readonly args: Arguments
  /** Fields of the rows that are left out if the rows do not fit. */
  readonly seldom: readonly string[]
  /** How the operation itself shortens its answer. */
  readonly shorten?: AnyOperation['shorten']
}

/**
 * Returns the answer of an operation that takes a `limit`. If it does not fit, the operation runs again for as many rows as do, so
 * that its cursor and its totals are about the rows in the answer.
 */
export async function listedAnswer(
  run: (args: Arguments) => Promise<object>,
  { words, skip, args, seldom, shorten: shortened }: Shortened,
): Promise<Printed> {
  const isShort = args.limit === undefined || args.limit === null
  const fitting: Fitting = { words, skip, ...(isShort ? { room: shortRoom } : {}) }
  // The hint is Renown's own.
  const told: Fitting = { ...fitting, words: withOwn(words) }
  const said: { left?: string | undefined } = {}
  const runShort = async (given: Arguments) => {
    const whole = await run(given)
    const short = shortened?.(whole, given)
    said.left = short?.left
    return (short?.answer ?? whole) as Row
  }
  const answer = await runShort(args)
  const own = said.left
  const whole = own === undefined ? fitted(answer, fitting) : fitted({ ...answer, hint: own }, told)
  if (!rowsLeft(whole)) return whole
  const { left, shorten } = isShort ? shortRows(answer, seldom) : { left: false, shorten: asIs }
  const fields = own ?? (left ? leftOut : '')
  const hint = [moreOf(skip !== undefined), fields].filter(Boolean).join(' ')
  // The hint takes room too.
  const short = isShort ? fitted({ ...shorten(answer), hint }, told) : whole
  const rows = rowsLeft(short)
  if (rows === null) return fitted({ ...shorten(answer), hint: own ?? leftOut }, told)
  const again = shorten(await runShort({ ...args, limit: rows }))
  const { next_skip, truncated } = short.value
  return fitted(
    {
      ...again,
      ...(next_skip === undefined ? {} : { next_skip }),
      ...(isShort ? { hint } : { truncated }),
      ...(!isShort && own !== undefined ? { hint: own } : {}),
    },
    told,
  )
}

const asIs = (answer: Row): Row => answer

/** Returns whether the rows of an answer do without some fields, and what leaves them out. */
function shortRows(answer: Row, seldom: readonly string[]) {
  const [list] =
    Object.entries(answer).find(
      ([, rows]) =>
        Array.isArray(rows) && rows.some((row) => seldom.some((name) => valueAt(row, name) !== undefined)),
    ) ?? []
  if (list === undefined) return { left: false, shorten: asIs }
  return {
    left: true,
    shorten: (one: Row): Row => ({ ...one, [list]: withoutFields(one[list] as Row[], seldom) }),
  }
}

const leftOut = 'get_record returns all fields of a row.'

const moreOf = (pages: boolean) =>
  `Short, because the call has no limit. For more rows, send limit${pages ? ', or skip: next_skip' : ''}.`

const own = ['hint', 'next_skip', 'truncated'] as const

/** Returns the words of an answer to which Renown adds its own hint. */
export const withOwn = (words: Words): Words =>
  typeof words === 'string' || 'items' in words
    ? words
    : { ...words, fields: new Map([...words.fields, ...own.map((name) => [name, 'ours'] as const)]) }
