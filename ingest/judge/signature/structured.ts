import {
  type BareItem,
  type Dictionary,
  DisplayString,
  type InnerList,
  type Item,
  isInnerList,
  ParseError,
  parseDictionary as readDictionary,
  parseItem as readItem,
  serializeInnerList,
  serializeItem,
} from 'structured-headers'

/** A member of a dictionary: an item, or a list in parentheses. */
export type Member = Item | InnerList

/** Maximum length of a field that is parsed. A signature of RSA with 4,096 bits has 700 characters. */
export const fieldMax = 4_096
/** Maximum number of members, list items and parameters of one field together. */
const partsMax = 64

/**
 * Returns the members of a dictionary. Null if the text is none, or has a decimal, a date or a text for display, because
 * no signature uses them.
 */
export function parseDictionary(text: string): Dictionary | null {
  const found = parsed(text, readDictionary)
  if (!found || found.size === 0) return null
  const members = [...found.values()]
  const parts = members.reduce((sum, member) => sum + partsOf(member), 0)
  return parts <= partsMax && members.every(isUsed) ? found : null
}

/** Returns an item, or null if the text is not one, or one of those that no signature uses. */
export function parseItem(text: string): Item | null {
  const found = parsed(text, readItem)
  return found && found[1].size < partsMax && isUsed(found) ? found : null
}

/** Whether a member is a list in parentheses. */
export const isList = (member: Member): member is InnerList => isInnerList(member)

/** Writes an item or a list in the form of RFC 9651, which signatures cover. */
export const formatMember = (member: Member): string =>
  isInnerList(member) ? serializeInnerList(member) : serializeItem(member)

/** A string, also if nobody closed it. */
const strings = /"(?:[^"\\]|\\.)*"?/gs

function parsed<T>(field: string, read: (text: string) => T): T | null {
  if (field.length > fieldMax) return null
  const text = field.trim()
  // Once it is read, the decimal 1.0 is the integer 1, which is not what was signed.
  if (/(?:^|[=( ])-?\d{1,15}\./.test(text.replace(strings, ''))) return null
  try {
    return read(text)
  } catch (error) {
    if (error instanceof ParseError) return null
    throw error
  }
}

const partsOf = ([value, params]: Member): number =>
  Array.isArray(value)
    ? value.reduce((sum, [, more]) => sum + 1 + more.size, 1 + params.size)
    : params.size + (value === true ? 1 : 2)

const isUsed = ([value, params]: Member): boolean =>
  [...params.values()].every(isUsedValue) && (Array.isArray(value) ? value.every(isUsed) : isUsedValue(value))

const isUsedValue = (value: BareItem) => !(value instanceof Date || value instanceof DisplayString)
