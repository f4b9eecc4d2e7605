import type { Deprecation } from '../contracts/deprecation'
import type { AnyEntity } from '../contracts/entity'
import type { AnyOperation } from '../contracts/operation'
import type { Where } from '../contracts/where'
import { type Field, fieldAt, headOf, shapeOf } from '../kit/fields'
import { oncePer } from '../kit/once-per'
import type { ListRequest } from '../query/parse'
import { earliestRemoval } from '../registry/deprecations'

/**
 * Returns headers that announce a deprecation (RFC 9745, RFC 8594), if any. A deprecated field counts only if
 * the caller names it, because every reader of the record gets it.
 */
export function noticeHeaders(
  apiUrl: string,
  { name }: { readonly name: string },
  used: readonly (Deprecation | undefined)[],
): Record<string, string> {
  const first = earliestRemoval(used)
  if (!first) return {}
  return {
    deprecation: `@${Date.parse(`${first.since}T00:00:00.000Z`) / 1000}`,
    sunset: new Date(`${first.sunset}T00:00:00.000Z`).toUTCString(),
    link: `<${apiUrl}/docs#${name}>; rel="deprecation"; type="text/html"`,
  }
}

/** Returns the deprecations that a list names in its filter, sort or fields. */
export function namedIn(
  entity: AnyEntity,
  { where, sort, fields = [] }: ListRequest,
): (Deprecation | undefined)[] {
  const paths = [...fieldsIn(where), ...sort.map(({ field }) => field), ...fields]
  return paths.flatMap((path) => [
    fieldAt(entity, path)?.deprecated,
    fieldAt(entity, headOf(path))?.deprecated,
  ])
}

/** Returns the deprecations that a body names. */
export const namedInBody = (operation: AnyOperation, body: object): (Deprecation | undefined)[] =>
  inputFields(operation).flatMap(({ name, deprecated }) => (Object.hasOwn(body, name) ? [deprecated] : []))

const inputFields = oncePer(
  (operation: AnyOperation): readonly Field[] => shapeOf(operation.input).fields ?? [],
)

function fieldsIn(where: Where): string[] {
  if ('field' in where) return [where.field]
  return Array.isArray(where.of) ? where.of.flatMap(fieldsIn) : fieldsIn(where.of as Where)
}
