import type { AnyEntity } from '../contracts/entity'
import { type ErrorCode, errorTable } from '../contracts/errors'
import type { AnyOperation } from '../contracts/operation'
import { visibleSchema } from '../fields'
import { listBounds } from '../query/parse'
import type { Registry } from '../registry'
import { isOffered, scopeOf } from '../surface'
import { version } from '../version'
import { jsonSchemaOf } from './json-schema'
import { headers, parameters, problemSchema } from './openapi-parts'

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })

/** The public machine-readable description, OpenAPI 3.1, derived from what is registered. */
export function openapiOf(registry: Registry, apiUrl: string): object {
  const entities = [...registry.entities.values()].filter(isOffered).sort(byName)
  const operations = [...registry.operations.values()].sort(byName)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Renown',
      version,
      summary: 'Read reputation data, and the few writes that are safe.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: apiUrl }],
    security: [{ bearer: [] }],
    tags: [
      { name: 'Records', description: 'Reads, one address per record type.' },
      { name: 'Operations', description: 'Named calls. POST means call, not create.' },
      { name: 'Discovery', description: 'What can be called.' },
    ],
    paths: Object.fromEntries([
      ...entities.flatMap(entityPaths),
      ...operations.map((operation) => [
        `/api/functions/${operation.name}`,
        { post: operationItem(operation) },
      ]),
      ['/api/surface', { get: surfaceItem }],
    ]),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An agent key, `rnw_key_…`.' },
      },
      parameters,
      headers,
      responses: Object.fromEntries(statuses.map((status) => [`Problem${status}`, problemResponse(status)])),
      schemas: {
        ...Object.fromEntries(entities.map((entity) => [entity.name, recordSchema(entity)])),
        Problem: problemSchema,
      },
    },
  }
}

const statuses = [...new Set(Object.values(errorTable).map(({ status }) => status))].sort()
const problems = (...wanted: number[]) =>
  Object.fromEntries(wanted.map((status) => [String(status), ref('responses', `Problem${status}`)]))

function entityPaths(entity: AnyEntity): [string, object][] {
  const base = `/api/entities/${entity.name}`
  const paths: [string, object][] = []
  const common = { tags: ['Records'], ...(entity.deprecated ? { deprecated: true } : {}) }
  if (entity.reads.includes('list')) {
    const list = {
      ...common,
      operationId: `list${entity.name}`,
      summary: `List: ${entity.summary}`,
      parameters: [
        ref('parameters', 'q'),
        sortParameter(entity),
        ...['limit', 'skip', 'fields', 'cursor', 'count', 'workspace'].map((name) => ref('parameters', name)),
      ],
      responses: {
        '200': {
          description: `Rows of ${entity.name}`,
          headers: Object.fromEntries(Object.keys(headers).map((name) => [name, ref('headers', name)])),
          ...json({ type: 'array', items: ref('schemas', entity.name) }),
        },
        '304': { description: 'Unchanged since the ETag in If-None-Match' },
        ...problems(400, 401, 403, 422, 429, 500, 503),
      },
    }
    paths.push([base, { get: list }])
  }
  if (entity.reads.includes('get')) {
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
    const get = {
      ...common,
      operationId: `get${entity.name}`,
      summary: `One record: ${entity.summary}`,
      parameters: [id, ref('parameters', 'fields'), ref('parameters', 'workspace')],
      responses: {
        '200': { description: `One ${entity.name}`, ...json(ref('schemas', entity.name)) },
        '304': { description: 'Unchanged since the ETag in If-None-Match' },
        ...problems(400, 401, 403, 404, 422, 429, 500, 503),
      },
    }
    paths.push([`${base}/{id}`, { get }])
  }
  return paths
}

function operationItem(operation: AnyOperation) {
  const writes = operation.class !== 'read'
  const input = jsonSchemaOf(operation.input) as { properties?: object }
  const dryRun = {
    type: 'boolean',
    default: false,
    description: 'Answer what would be written and write nothing.',
  }
  const schema = writes ? { ...input, properties: { ...input.properties, dry_run: dryRun } } : input
  return {
    tags: ['Operations'],
    operationId: operation.name,
    summary: operation.summary,
    ...(operation.deprecated ? { deprecated: true } : {}),
    description: `Class \`${operation.class}\`, scope \`${scopeOf(operation)}\`. ${
      operation.crossAgency === 'allowed'
        ? "A platform-scoped credential may call it in another agency's workspace."
        : "A platform-scoped credential is refused in another agency's workspace."
    }`,
    parameters: [ref('parameters', 'workspace'), ...(writes ? [ref('parameters', 'idempotencyKey')] : [])],
    requestBody: { required: false, ...json(schema) },
    responses: {
      '200': { description: 'The answer', ...json(jsonSchemaOf(operation.output)) },
      ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503),
    },
    'x-renown-class': operation.class,
    'x-renown-cross-agency': operation.crossAgency,
  }
}

/** Clients tolerate what they do not know: enums may gain values, records may gain fields. */
const recordSchema = (entity: AnyEntity) => ({
  title: entity.name,
  description: entity.summary,
  ...jsonSchemaOf(visibleSchema(entity)),
})

const sortParameter = (entity: AnyEntity) => ({
  name: 'sort',
  in: 'query',
  description: `Up to ${listBounds.sortKeys} fields, comma separated, \`-\` for descending: ${entity.sortable.join(', ')}.`,
  schema: { type: 'string', default: entity.defaultSort ?? '-created_date' },
})

function problemResponse(status: number) {
  const codes = (Object.keys(errorTable) as ErrorCode[]).filter((code) => errorTable[code].status === status)
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].meaning}`).join(' '),
    content: { 'application/problem+json': { schema: ref('schemas', 'Problem') } },
  }
}

const surfaceItem = {
  tags: ['Discovery'],
  operationId: 'getSurface',
  summary: 'All that is callable: record types, fields, operations, limits, and a digest of it',
  responses: {
    '200': { description: 'The surface', ...json({ type: 'object' }) },
    ...problems(401, 403, 429),
  },
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
