import * as v from 'valibot'

/** Announces that something callable will be removed, at least twelve months later. */
export interface Deprecation {
  /** Day of the announcement, `YYYY-MM-DD`. */
  readonly since: string
  /** First day on which it may be gone, `YYYY-MM-DD`. */
  readonly sunset: string
  /** What to use instead, in words. */
  readonly use: string
}

/** Marks a field of an entity, an input or an output as deprecated. Goes inside `v.optional`. */
export const deprecated = <const S extends v.GenericSchema>(schema: S, deprecation: Deprecation) =>
  v.pipe(schema, v.metadata<v.InferOutput<S>, { deprecated: Deprecation }>({ deprecated: deprecation }))
