import { fieldPathMax, fieldPathOf } from 'renown/contracts'
import { nameOf } from '../parse/formats/mapped'
import { isRecord, type JsonRecord } from '../parse/formats/text/reading'
import { maskAddresses } from './mask'

/** The most fields of a sample that people can choose from. */
const fieldsMax = 200
const elementsMax = 50

/** Returns the paths of the fields with a text or a number in some records, each with its values as texts in order. */
export function fieldsOf(records: readonly JsonRecord[]): Map<string, string[]> {
  const fields = new Map<string, string[]>()
  const add: Add = (parts, plain) => {
    const value = String(plain)
    const path = fieldPathOf(parts)
    if (path.length > fieldPathMax.characters || path === '') return
    const values = fields.get(path)
    if (values) values.push(value)
    else if (fields.size < fieldsMax) fields.set(path, [value])
  }
  for (const record of records) walk(record, [], add)
  return fields
}

/** A value that a mapping can read. */
type PlainValue = string | number

const isPlain = (value: unknown): value is PlainValue =>
  typeof value === 'string' || typeof value === 'number'

type Add = (parts: readonly string[], value: PlainValue) => void

function walk(value: unknown, parts: readonly string[], add: Add): void {
  if (isPlain(value)) {
    add(parts, value)
    return
  }
  if (parts.length >= fieldPathMax.parts) return
  if (isRecord(value))
    for (const name of Object.keys(value)) {
      // A name can contain an address too, and names are shown and stored.
      if (maskAddresses(name) === name) walk(value[name], [...parts, name], add)
    }
  if (Array.isArray(value)) {
    const [first] = value
    if (isPlain(first)) {
      add(parts, first)
      return
    }
    for (const [at, one] of value.slice(0, elementsMax).entries()) {
      const name = nameOf(one)
      if (name !== undefined && maskAddresses(name) !== name) continue
      if (name === undefined) walk(one, [...parts, String(at)], add)
      else if (isRecord(one)) walk(one.value, [...parts, name], add)
    }
  }
}
