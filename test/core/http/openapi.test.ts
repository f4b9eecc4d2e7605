import { beforeAll, describe, expect, test } from 'bun:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import * as v from 'valibot'
import { openapiOf } from '../../../core/http/openapi'
import { visibleSchema } from '../../../core/kit/fields'
import { isOffered } from '../../../core/registry/surface'
import { shippedRegistry } from '../../support/shipped'

interface Schema {
  examples?: unknown[]
  properties?: Record<string, Schema>
  [more: string]: unknown
}
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, object>; parameters: object[] }>>
  components: { schemas: Record<string, Schema>; responses: object }
}

const registry = shippedRegistry()
const document = openapiOf(registry, 'https://reputation.example') as Document
const entities = [...registry.entities.values()].filter(isOffered)
const operations = [...registry.operations.values()]

/** The strictest set of rules that the linter brings, and those about examples that it leaves off. */
const rules = {
  'no-invalid-schema-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-required-schema-properties-undefined': 'error',
  'no-unused-components': 'error',
} as const

test('names records and operations in the order of their names, so that two documents can be compared', () => {
  const paths = Object.keys(document.paths)
  const lists = paths.filter((path) => /^\/api\/entities\/\w+$/.test(path))
  const calls = paths.filter((path) => path.startsWith('/api/functions/'))
  expect(lists.length).toBeGreaterThan(5)
  expect([lists, calls]).toEqual([lists.toSorted(), calls.toSorted()])
})

describe('the OpenAPI document of the product in the box', () => {
  let lint: (document: object) => Promise<string[]>
  beforeAll(async () => {
    const config = await createConfig({ extends: ['recommended-strict'], rules })
    lint = async (checked) => {
      const problems = await lintFromString({ source: JSON.stringify(checked), config })
      return problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer ?? ''}`)
    }
  })

  test('is valid, and nothing in it is to be bettered by the linter’s strictest rules', async () => {
    expect(await lint(document)).toEqual([])
  }, 90_000)

  test('would not pass with an example that its schema refuses, a dangling reference or a lost description', async () => {
    const spoilt = structuredClone(document)
    const { Lead, Review } = spoilt.components.schemas
    Object.assign(Lead?.examples?.[0] as object, { stage: 'nowhere' })
    Object.assign(Review?.properties ?? {}, { id: { $ref: '#/components/schemas/Ghost' } })
    delete spoilt.paths['/api/surface']?.get?.responses['401']
    Object.assign(spoilt.paths['/api/surface']?.get ?? {}, { summary: undefined })
    const found = await lint(spoilt)
    expect(found).toEqual(
      expect.arrayContaining([
        'no-invalid-schema-examples #/components/schemas/Lead/examples/0/stage',
        'no-unresolved-refs #/components/schemas/Review/properties/id',
        'operation-summary #/paths/~1api~1surface/get/summary',
      ]),
    )
  }, 90_000)

  test.each(entities.map((entity) => [entity.name, entity] as const))(
    '%s is a schema of its own with every visible field, and its example is such a record',
    (name, entity) => {
      const schema = document.components.schemas[name]
      const { entries } = visibleSchema(entity)
      expect(Object.keys(schema?.properties ?? {}).sort()).toEqual(Object.keys(entries).sort())
      const [example] = schema?.examples ?? []
      expect(v.safeParse(v.strictObject(entries), example).issues ?? []).toEqual([])
      expect(Object.keys(example as object)).toEqual(Object.keys(entries))
    },
  )

  test.each(operations.map((operation) => [operation.name, operation] as const))(
    'what %s takes and answers are schemas of their own, with examples',
    (name, { input, output }) => {
      const { schemas } = document.components
      for (const [schema, declared] of [
        [schemas[`${name}Input`], input],
        [schemas[`${name}Output`], output],
      ] as const) {
        expect(v.is(declared as v.GenericSchema, schema?.examples?.[0])).toBe(true)
      }
    },
  )

  test('a refusal names the headers that it comes with', () => {
    const responses = document.components.responses as Record<
      string,
      { headers: Record<string, unknown>; description: string }
    >
    const own = ['WWW-Authenticate', 'Retry-After']
    const named = Object.entries(responses).flatMap(([name, { headers }]) => {
      const found = own.filter((header) => header in headers)
      return found.length > 0 ? [[/\d+/.exec(name)?.[0], ...found]] : []
    })
    expect(named.sort()).toEqual([
      ['401', 'WWW-Authenticate'],
      ['429', 'Retry-After'],
      ['503', 'Retry-After'],
    ])
    for (const [name, { headers }] of Object.entries(responses))
      for (const header of ['Deprecation', 'Sunset', 'Link', 'X-Request-Id'])
        expect([name, header, header in headers]).toEqual([name, header, true])
  })

  test('every code of the error table is an example of the answer that carries it', () => {
    const text = JSON.stringify(document.components.responses)
    const codes = document.components.schemas.Problem?.properties?.code?.enum as string[]
    expect(codes.length).toBeGreaterThan(20)
    expect(codes.filter((code) => !text.includes(`"code":"${code}"`))).toEqual([])
  })
})

test('lists in the query of events are sent with commas', () => {
  const [parameters = []] = Object.entries(document.paths).flatMap(([path, { get }]) =>
    path.endsWith('/events') && get ? [get.parameters as Record<string, unknown>[]] : [],
  )
  const own = parameters.filter(({ style }) => style !== undefined)
  expect(own.length).toBeGreaterThan(0)
  for (const parameter of own)
    expect(parameter).toMatchObject({
      in: 'query',
      style: 'form',
      explode: false,
      schema: expect.any(Object),
    })
})
