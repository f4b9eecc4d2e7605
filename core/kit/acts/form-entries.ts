import * as v from 'valibot'
import { shapeOf } from '../fields'

/** Returns the fields of a form, which sends texts, from the fields of an act. */
export const formEntries = (
  fields: v.ObjectEntries,
  forms: Readonly<Record<string, v.GenericSchema | undefined>>,
): v.ObjectEntries =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [
      name,
      forms[name] ?? formEntry(schema as v.GenericSchema),
    ]),
  )

/** Returns the schema of a sent field. A field that was left empty counts as left out, if it may be. */
function formEntry(schema: v.GenericSchema): v.GenericSchema {
  const { kind, element, optional } = shapeOf(schema)
  if (kind === 'boolean') {
    return v.pipe(
      v.optional(v.picklist(['yes', 'no']), 'no'),
      v.transform((sent): boolean => sent === 'yes'),
    )
  }
  if (kind === 'array') {
    const isNumeric = element?.kind === 'number' || element?.kind === 'integer'
    const listed = v.transform((sent: string | string[]): unknown[] => {
      const items = [sent].flat()
      return isNumeric ? items.map(numberIn) : items
    })
    return v.pipe(v.optional(v.union([v.string(), v.array(v.string())]), []), listed, schema as never)
  }
  const isNumber = kind === 'number' || kind === 'integer'
  const value = v.transform((sent: string) => (sent === '' ? undefined : isNumber ? numberIn(sent) : sent))
  if (optional) return v.pipe(v.optional(v.string(), ''), value, schema as never)
  return isNumber ? v.pipe(v.string(), v.trim(), v.transform(numberIn), schema as never) : schema
}

/** NaN, which every schema of a number refuses, unless the text is a plain number. */
const numberIn = (sent: string) => (/^-?\d{1,15}(\.\d{1,9})?$/.test(sent.trim()) ? Number(sent) : Number.NaN)
