import { openapiOf } from '../../core/http/openapi'
import { shippedRegistry } from './shipped'

/** What the published schemas promise beside the callable surface: one line for the bounds of each field. */
export function schemaPin(): Record<string, string> {
  const document = openapiOf(shippedRegistry(), 'https://app.example')
  const { components } = document as { readonly components: { readonly schemas: object } }
  return Object.fromEntries(linesOf(components.schemas, ''))
}

/** Words for people, which may change at any time. */
const texts = new Set(['description', 'title', 'summary', 'example', 'examples'])
const bounding = /^(min|max|pattern|enum|default|const|uniqueItems|multipleOf|additionalProperties)/
/** Steps of the document that say nothing about the place. */
const unnamed = new Set(['properties', 'items'])

function* linesOf(node: object, at: string): Generator<readonly [string, string]> {
  const bounds: string[] = []
  for (const [name, value] of Object.entries(node)) {
    if (texts.has(name) || value === undefined) continue
    const isList = Array.isArray(value) && value.every((one) => one === null || typeof one !== 'object')
    if (typeof value === 'object' && value !== null && !isList)
      yield* linesOf(value, unnamed.has(name) ? at : [at, name].filter(Boolean).join('.'))
    else if (bounding.test(name)) bounds.push(`${name} ${[value].flat().join('|')}`)
  }
  if (bounds.length > 0) yield [at, bounds.join(', ')]
}
