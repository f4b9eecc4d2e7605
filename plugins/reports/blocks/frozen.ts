import * as v from 'valibot'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** The schema of a count in frozen data. */
export const frozenCount = count

/** The schema of a rate in frozen data, as `defineRate` makes it. */
export const frozenRate = v.object({
  definition: v.string(),
  k: count,
  n: count,
  rate: v.nullable(v.number()),
  ci95: v.nullable(v.array(v.number())),
})
