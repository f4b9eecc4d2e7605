import { type Fitting, fitted, type Printed, type Room } from '../kit/model-text'
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

/** Returns the fields that a short list leaves out, because the rows do not fit with them. */
export function fieldsLeftOut(rows: readonly Row[]): string[] {
  if (JSON.stringify(rows).length <= shortRoom.characters) return []
  const found = rows.flatMap((row) =>
    Object.keys(row).filter(
      (name) =>
        row[name] !== null && typeof row[name] === 'object' && JSON.stringify(row[name]).length > nestedMax,
    ),
  )
  return [...new Set(found)].sort()
}

/** Returns rows without some of their fields. */
export const withoutFields = (rows: readonly Row[], names: readonly string[]): readonly Row[] =>
  names.length === 0
    ? rows
    : rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))))

/** How many rows the list of an answer has that was cut to fit, or null if nothing was cut. */
export function rowsLeft({ value: { truncated } }: Printed): number | null {
  const [cut] = Array.isArray(truncated) ? (truncated as { readonly shown: number }[]) : []
  return cut === undefined ? null : cut.shown
}

/** What a caller of a tool did not ask for, so that its answer is short. */
export interface Shortened {
  readonly words: Words
  readonly skip: number | undefined
  readonly args: Arguments
}

/**
 * Returns the answer of an operation that takes a `limit`. If it does not fit, the operation runs again for as many rows as do, so
 * that its cursor and its totals are about the rows in the answer.
 */
export async function listedAnswer(
  run: (args: Arguments) => Promise<object>,
  { words, skip, args }: Shortened,
): Promise<Printed> {
  const isShort = args.limit === undefined || args.limit === null
  const fitting: Fitting = { words, skip, ...(isShort ? { room: shortRoom } : {}) }
  const whole = fitted(await run(args), fitting)
  const rows = rowsLeft(whole)
  if (rows === null || rows === 0) return whole
  const { next_skip, truncated } = whole.value
  const again = await run({ ...args, limit: rows })
  return fitted(
    {
      ...again,
      ...(next_skip === undefined ? {} : { next_skip }),
      ...(isShort ? { hint: moreOf(skip !== undefined) } : { truncated }),
    },
    // The hint is Renown's own.
    { ...fitting, words: withOwn(words) },
  )
}

const moreOf = (pages: boolean) =>
  `Short, because the call has no limit. For more rows, send limit${pages ? ', or skip: next_skip' : ''}.`

const own = ['hint', 'next_skip', 'truncated'] as const

const withOwn = (words: Words): Words =>
  typeof words === 'string' || 'items' in words
    ? words
    : { ...words, fields: new Map([...words.fields, ...own.map((name) => [name, 'ours'] as const)]) }
