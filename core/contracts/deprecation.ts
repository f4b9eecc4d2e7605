import * as v from 'valibot'

/** An announcement that something callable will go. Kept for at least twelve months between the two days. */
export interface Deprecation {
  /** Day of the announcement, `YYYY-MM-DD`. */
  readonly since: string
  /** First day on which it may be gone, `YYYY-MM-DD`. */
  readonly sunset: string
  /** What to use in its place, in words. */
  readonly use: string
}

/** Marks a field of an entity, an input or an output as deprecated. Goes inside `v.optional`. */
export const deprecated = <const S extends v.GenericSchema>(schema: S, deprecation: Deprecation) =>
  v.pipe(schema, v.metadata<v.InferOutput<S>, { deprecated: Deprecation }>({ deprecated: deprecation }))
