import { type Said, said } from 'renown/sources'
import * as v from 'valibot'

/**
 * What an absent field means. `none`: the documentation of the service says that it then has no value. `unknown`: the service
 * always sends it, so nothing can be concluded.
 */
export type Absent = 'none' | 'unknown'

/**
 * Creates the schema of a field without which the answer is still an answer. Never fails: what does not match is unknown,
 * with the name of the field.
 */
export const sideField = <S extends v.GenericSchema>(name: string, schema: S, absent: Absent = 'unknown') =>
  v.pipe(
    v.nullish(v.unknown(), null),
    v.transform((given): Said<v.InferOutput<S>> => {
      if (given === null) return absent === 'none' ? said.none : said.unknown(`${name} is missing`)
      const read = v.safeParse(schema, given)
      return read.success ? said.value(read.output) : said.unknown(`${name} has an unknown form`)
    }),
  )

const countMost = 1e9
/**
 * A number of tokens or searches. A larger one, such as one that JSON writes as `1e400`, is no usage of an answer: it is unknown, so
 * that neither the answer is lost nor the budget ended by it.
 */
export const usedCount = v.pipe(v.number(), v.minValue(0), v.maxValue(countMost))

/** The sound members of a list, and what is odd about the others. */
export interface SoundItems<T> {
  readonly items: readonly T[]
  readonly odd: readonly string[]
}

/** Creates the schema of a list of which every sound member is kept. Never fails. */
export const sideList = <S extends v.GenericSchema>(name: string, item: S, absent: Absent = 'unknown') =>
  v.pipe(
    v.nullish(v.unknown(), null),
    v.transform((given): SoundItems<v.InferOutput<S>> => {
      if (given === null) return { items: [], odd: absent === 'none' ? [] : [`${name} is missing`] }
      if (!Array.isArray(given)) return { items: [], odd: [`${name} has an unknown form`] }
      const read = given.map((one) => v.safeParse(item, one))
      return {
        items: read.flatMap((one) => (one.success ? [one.output] : [])),
        odd: read.flatMap((one, place) => (one.success ? [] : [`${name}[${place}] has an unknown form`])),
      }
    }),
  )

/** Returns the value of a field, or what stands for it when there is none or it is unknown. */
export const valueOr = <T, O>(field: Said<T>, other: O): T | O => (field.is === 'value' ? field.value : other)

/** Returns why fields are unknown. */
export const oddIn = (...fields: readonly Said<unknown>[]): string[] =>
  fields.flatMap((field) => (field.is === 'unknown' ? [field.because] : []))
