import type { Deprecation } from '../contracts/deprecation'
import type { AnyEntity } from '../contracts/entity'
import { type ErrorCode, errorTable } from '../contracts/errors'
import type { AnyOperation } from '../contracts/operation'
import { shapeOf, visibleSchema } from '../kit/fields'
import { type JsonSchema, jsonSchemaOf } from '../kit/json-schema'
import { withWords } from '../kit/published-words'
import { wordsOf, wordsOfEntity } from '../kit/words'
import { version } from '../process/version'
import { listBounds } from '../query/parse'
import { exampleForReaders, exampleId } from '../registry/examples'
import type { Registry } from '../registry/registry'
import { isOffered, scopeOf } from '../registry/surface'
import { typeOfCode } from '../requests/problem'
import { listEvents } from './listEvents'
import {
  commonHeaders,
  faultSchema,
  headers,
  httpCodes,
  pageHeaders,
  parameters,
  problemSchema,
} from './openapi-parts'
import { surfaceSchemas } from './openapi-surface'

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
const refs = (kind: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, ref(kind, name)]))
const json = (schema: object) => ({ content: { 'application/json': { schema } } })

/** Returns the public OpenAPI 3.1 description, made from the registry. */
export function openapiOf(registry: Registry, apiUrl: string): object {
  const entities = [...registry.entities.values()].filter(isOffered).sort(byName)
  const operations = [...registry.operations.values()].sort(byName)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Renown',
      version,
      summary: 'Read reputation data, and the few writes that are safe.',
      description:
        'Clients must accept unknown fields and enum values. Removals are announced a year in advance. A text with `x-renown-words` is written by Renown: `ours` is any text, `code` one word. Anybody may have written the others.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: apiUrl }],
    security: [{ bearer: [] }],
    tags: [
      { name: 'Records', description: 'Reads. Each record type has its own address.' },
      {
        name: 'Operations',
        description: 'Named calls. POST calls an operation. It does not create a resource.',
      },
      { name: 'Discovery', description: 'All callable entities and operations.' },
    ],
    paths: Object.fromEntries([
      ...entities.flatMap((entity) => entityPaths(entity, registry.notYetOf('entity', entity.name))),
      ...operations.map((operation) => [
        `/api/functions/${operation.name}`,
        { post: operationItem(operation, registry.notYetOf('operation', operation.name)) },
      ]),
      ['/api/surface', { get: surfaceItem }],
      ...(operations.some(({ name }) => name === listEvents.name)
        ? [['/api/events', { get: eventsItem }] as const]
        : []),
    ]),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An agent key, `rnw_key_…`, or the access token of an app that a person connected, `rnw_at_…`.',
        },
      },
      parameters,
      headers,
      responses: Object.fromEntries(
        statuses.map((status) => [`Problem${status}`, problemResponse(status, apiUrl)]),
      ),
      schemas: {
        ...Object.fromEntries(entities.map((entity) => [entity.name, recordSchema(entity)])),
        ...Object.fromEntries(operations.flatMap(operationSchemas)),
        ...surfaceSchemas,
        Problem: problemSchema,
        Fault: faultSchema,
      },
    },
  }
}

const statuses = [...new Set(httpCodes.map((code) => errorTable[code].status))].sort()
const problems = (...wanted: number[]) =>
  Object.fromEntries(wanted.map((status) => [String(status), ref('responses', `Problem${status}`)]))

const notice = ({ deprecated }: { readonly deprecated?: Deprecation }) =>
  deprecated ? { deprecated: true, 'x-renown-deprecated': deprecated } : {}
/** Any address can be deprecated, or a field that its call names. */
const answerHeaders = (...own: string[]) => ({
  headers: refs('headers', [...own, ...commonHeaders, 'Deprecation', 'Sunset', 'Link']),
})

function entityPaths(entity: AnyEntity, notYet?: string): [string, object][] {
  const base = `/api/entities/${entity.name}`
  const paths: [string, object][] = []
  const common = { tags: ['Records'], ...notice(entity) }
  const shared = ['workspace', 'requestId', 'ifNoneMatch'].map((name) => ref('parameters', name))
  const unchanged = { description: 'Unchanged since the ETag in If-None-Match', ...answerHeaders('ETag') }
  if (entity.reads.includes('list')) {
    const list = {
      ...common,
      operationId: `list${entity.name}`,
      summary: `List: ${entity.summary}`,
      description: sentences(leftOut(entity), notYet),
      parameters: [
        ref('parameters', 'q'),
        sortParameter(entity),
        ...['limit', 'skip', 'fields', 'cursor', 'count'].map((name) => ref('parameters', name)),
        ...shared,
      ],
      responses: {
        '200': {
          description: `Rows of ${entity.name}`,
          ...answerHeaders(...pageHeaders),
          ...json({ type: 'array', items: ref('schemas', entity.name) }),
        },
        '304': unchanged,
        ...problems(400, 401, 403, 404, 422, 429, 500, 503),
      },
    }
    paths.push([base, { get: list }])
  }
  if (entity.reads.includes('get')) {
    const schema = { type: 'string', examples: [exampleId(entity.idPrefix)] }
    const id = { name: 'id', in: 'path', required: true, description: `Id of the ${entity.name}`, schema }
    const get = {
      ...common,
      operationId: `get${entity.name}`,
      summary: `One record: ${entity.summary}`,
      ...(notYet === undefined ? {} : { description: notYet }),
      parameters: [id, ref('parameters', 'fields'), ...shared],
      responses: {
        '200': {
          description: `One ${entity.name}`,
          ...answerHeaders('ETag'),
          ...json(ref('schemas', entity.name)),
        },
        '304': unchanged,
        ...problems(400, 401, 403, 404, 422, 429, 500, 503),
      },
    }
    paths.push([`${base}/{id}`, { get }])
  }
  return paths
}

const sentences = (...given: readonly (string | undefined)[]) => given.filter(Boolean).join(' ')

/** Describes the rows that a list leaves out. */
function leftOut({ except = {}, exceptSet = [], defaultSort = '-created_date' }: AnyEntity): string {
  const unless = Object.entries(except).map(([name, value]) => `\`${name}: ${String(value)}\``)
  return [
    `In the order of \`${defaultSort}\`.`,
    ...(unless.length ? [`Leaves out ${unless.join(', ')} unless \`q\` names the field.`] : []),
    ...(exceptSet.length ? [`Rows with a value in \`${exceptSet.join('`, `')}\` are read by id only.`] : []),
  ].join(' ')
}

function operationItem(operation: AnyOperation, notYet?: string) {
  const writes = operation.class !== 'read'
  const own = ['workspace', 'requestId', ...(writes ? ['idempotencyKey'] : [])]
  return {
    tags: ['Operations'],
    operationId: operation.name,
    summary: operation.summary,
    ...notice(operation),
    description: sentences(
      `Class \`${operation.class}\`, scope \`${scopeOf(operation)}\`.`,
      operation.crossAgency === 'allowed'
        ? "A platform-scoped credential may call it in another agency's workspace."
        : "A platform-scoped credential is refused in another agency's workspace.",
      notYet,
    ),
    parameters: own.map((name) => ref('parameters', name)),
    requestBody: { required: false, ...json(ref('schemas', `${operation.name}Input`)) },
    responses: {
      '200': {
        description: 'The answer',
        ...answerHeaders(...(writes ? ['Idempotent-Replayed'] : [])),
        ...json(ref('schemas', `${operation.name}Output`)),
      },
      ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503),
    },
    'x-renown-class': operation.class,
    'x-renown-cross-agency': operation.crossAgency,
  }
}

/** Returns input and output under separate names. No entity begins with a small letter. */
function operationSchemas(operation: AnyOperation): [string, object][] {
  const input = jsonSchemaOf(operation.input) as { properties?: object }
  const dryRun = {
    type: 'boolean',
    default: false,
    description: 'Return what would be written, without writing.',
  }
  const whole =
    operation.class === 'read' ? input : { ...input, properties: { ...input.properties, dry_run: dryRun } }
  const { name } = operation
  return [
    [`${name}Input`, withExample(whole, exampleForReaders(operation.input), `Input of ${name}`)],
    [
      `${name}Output`,
      withExample(
        withWords(jsonSchemaOf(operation.output), wordsOf(operation.output)),
        exampleForReaders(operation.output),
        `Output of ${name}`,
      ),
    ],
  ]
}

/** Clients must accept unknown enum values and fields, because both can be added. */
function recordSchema(entity: AnyEntity): JsonSchema {
  const schema = visibleSchema(entity)
  const example = exampleForReaders(schema, shapeOf(schema).fields) as { id?: string } | undefined
  const named = example && { ...example, id: exampleId(entity.idPrefix) }
  return {
    title: entity.name,
    ...notice(entity),
    ...withExample(withWords(jsonSchemaOf(schema), wordsOfEntity(entity)), named, entity.summary),
  }
}

const withExample = (schema: JsonSchema, example: unknown, description: string): JsonSchema => ({
  description,
  ...schema,
  ...(example === undefined ? {} : { examples: [example] }),
})

const sortParameter = (entity: AnyEntity) => ({
  name: 'sort',
  in: 'query',
  description: `Up to ${listBounds.sortKeys} fields, comma separated, \`-\` for descending: ${entity.sortable.join(', ')}. Rows without a value come last.`,
  schema: { type: 'string', default: entity.defaultSort ?? '-created_date' },
})

function problemResponse(status: number, apiUrl: string) {
  const codes = httpCodes.filter((code) => errorTable[code].status === status)
  const example = (code: ErrorCode) => ({
    summary: errorTable[code].title,
    value: {
      type: typeOfCode(code, apiUrl),
      title: errorTable[code].title,
      status,
      detail: errorTable[code].meaning,
      instance: '/api/entities/Workspace',
      code,
      request_id: '0c7b6f0a-3d7e-4c55-9a41-6f0c2b9d1e77',
    },
  })
  const own = [
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
  ]
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].meaning}`).join(' '),
    headers: refs('headers', [...own, ...commonHeaders, 'Deprecation', 'Sunset', 'Link']),
    content: {
      'application/problem+json': {
        schema: ref('schemas', 'Problem'),
        examples: Object.fromEntries(codes.map((code) => [code, example(code)])),
      },
    },
  }
}

const eventsItem = {
  tags: ['Records'],
  operationId: 'getEvents',
  summary: 'List what happened in the workspace, oldest first. Keep `next_after` and pass it as `after`',
  description:
    'You miss no event and get none twice. Without `after`, the list begins with the oldest event. The operation `listEvents` begins with the newest.',
  parameters: [
    ...Object.entries((jsonSchemaOf(listEvents.input) as { properties: object }).properties)
      .filter(([name]) => name !== 'skip')
      .map(eventParameter),
    ...['workspace', 'requestId'].map((name) => ref('parameters', name)),
  ],
  responses: {
    '200': {
      description: 'Events, oldest first',
      ...answerHeaders(),
      ...json(ref('schemas', 'listEventsOutput')),
    },
    ...problems(400, 401, 403, 404, 422, 429, 500, 503),
  },
}

function eventParameter([name, { description, ...schema }]: [string, { readonly description?: string }]) {
  // A list is sent with commas.
  return { name, in: 'query', description, schema, style: 'form', explode: false }
}

const surfaceItem = {
  tags: ['Discovery'],
  operationId: 'getSurface',
  summary: 'All that is callable: record types, fields, operations, limits, and a digest of it',
  parameters: ['requestId', 'ifNoneMatch'].map((name) => ref('parameters', name)),
  responses: {
    '200': { description: 'The surface', ...answerHeaders('ETag'), ...json(ref('schemas', 'Surface')) },
    '304': { description: 'Unchanged since the ETag in If-None-Match', ...answerHeaders('ETag') },
    ...problems(400, 401, 403, 429, 500, 503),
  },
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
