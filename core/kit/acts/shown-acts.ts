import type * as v from 'valibot'
import type { AnyAct, ShownAct, ShownActField } from '../../contracts/act'
import { shapeOf } from '../fields'

/** Returns the words and fields of acts by the names of their forms, as data for a page. `ActForm` draws them. */
export const shownActs = <Name extends string>(
  acts: Readonly<Record<Name, AnyAct>>,
): Readonly<Record<Name, ShownAct>> =>
  Object.fromEntries(
    Object.entries<AnyAct>(acts).map(([form, act]) => [form, shownAct(form, act)]),
  ) as Record<Name, ShownAct>

function shownAct(
  form: string,
  { declared: { name, label = name, question, fields = {}, shellFields = [] } }: AnyAct,
): ShownAct {
  return {
    form,
    label,
    ...(question === undefined ? {} : { question }),
    fields: Object.entries<v.GenericSchema>(fields)
      .filter(([field]) => !shellFields.includes(field))
      .map(([field, schema]) => shownField(field, schema)),
  }
}

function shownField(name: string, schema: v.GenericSchema): ShownActField {
  const { kind, values, optional, description = name } = shapeOf(schema)
  const isNumber = kind === 'number' || kind === 'integer'
  return {
    name,
    label: description,
    kind: values ? 'choice' : kind === 'boolean' ? 'flag' : isNumber ? 'number' : 'text',
    optional,
    ...(values && { choices: values.map(String) }),
  }
}
