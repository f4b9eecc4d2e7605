import * as v from 'valibot'

/**
 * The schema of any JSON object. Unlike valibot's own object schemas it rejects arrays, so `[]` is not an empty
 * object.
 */
export const jsonObject = v.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'not an object',
)
