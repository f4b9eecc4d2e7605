import { describe, expect, test } from 'bun:test'
import { openapiOf } from '../../../core/http/openapi'
import { createRegistry } from '../../../core/registry/registry'
import { Note, notes } from '../../support/notes-plugin'

type Json = Record<string, unknown>
const announced = { since: '2026-01-01', sunset: '2027-03-01', use: 'Letter' }
const document = (plugin: object = notes) =>
  openapiOf(createRegistry([plugin as typeof notes]), 'https://api.example') as Json & {
    paths: Record<string, Record<string, Json>>
    components: Record<string, Record<string, Json>>
  }
const last = (reference: unknown) =>
  String((reference as { $ref?: string }).$ref ?? '')
    .split('/')
    .at(-1)

/** An address in one line: what it takes, and what each of its answers carries. */
function lineOf(item: Json): string {
  const takes = (item.parameters as Json[]).map((one) => last(one) || `${one.name}`).join(' ')
  const body = (item.requestBody as { content?: Json } | undefined)?.content
  const answers = Object.entries(item.responses as Record<string, Json>).map(([status, answer]) => {
    if (answer.$ref) return last(answer) === `Problem${status}` ? status : `${status}?`
    const own = Object.keys(answer.headers as Json).join(' ')
    const [type = '', content] =
      Object.entries((answer.content ?? {}) as Record<string, { schema: Json }>)[0] ?? []
    const schema = content?.schema
    const of = schema?.type === 'array' ? `list of ${last(schema.items)}` : last(schema ?? {})
    return `${status} ${type} ${of} {${own}}`
  })
  const sent = body ? ` + ${last((body['application/json'] as { schema: Json }).schema)}` : ''
  return `${item.operationId} [${item.tags}]: ${takes}${sent} → ${answers.join(', ')}`
}

const always = 'X-Request-Id RateLimit-Policy RateLimit Deprecation Sunset Link'
const call = (name: string, more: string, replayed: string) =>
  `${name} [Operations]: workspace requestId${more} + ${name}Input → 200 application/json ${name}Output {${replayed}${always}}, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503`

test('each address is described with what it takes and what its answers carry', () => {
  const { paths } = document()
  expect(
    Object.fromEntries(
      Object.entries(paths).map(([path, item]) => {
        const [[method = '', whole = {}] = []] = Object.entries(item)
        return [`${method} ${path}`, lineOf(whole)]
      }),
    ),
  ).toEqual({
    'get /api/entities/Note': `listNote [Records]: q sort limit skip fields cursor count workspace requestId ifNoneMatch → 200 application/json list of Note {X-Has-More X-Next-Cursor X-Total-Count X-Limit-Applied ETag ${always}}, 304   {ETag ${always}}, 400, 401, 403, 404, 422, 429, 500, 503`,
    'get /api/entities/Note/{id}': `getNote [Records]: id fields workspace requestId ifNoneMatch → 200 application/json Note {ETag ${always}}, 304   {ETag ${always}}, 400, 401, 403, 404, 422, 429, 500, 503`,
    'post /api/functions/countNotes': call('countNotes', '', ''),
    'post /api/functions/draftNote': call('draftNote', ' idempotencyKey', 'Idempotent-Replayed '),
    'post /api/functions/markNotes': call('markNotes', ' idempotencyKey', 'Idempotent-Replayed '),
    'get /api/surface': `getSurface [Discovery]: requestId ifNoneMatch → 200 application/json Surface {ETag ${always}}, 304   {ETag ${always}}, 400, 401, 403, 429, 500, 503`,
  })
  expect(Object.keys(paths).slice(0, 2)).toEqual(['/api/entities/Note', '/api/entities/Note/{id}'])
  const { tags, security, servers, openapi, info } = document()
  expect([openapi, security, servers]).toEqual(['3.1.0', [{ bearer: [] }], [{ url: 'https://api.example' }]])
  expect((tags as Json[]).map(({ name }) => name)).toEqual(['Records', 'Operations', 'Discovery'])
  expect((info as { license: unknown }).license).toEqual({ name: 'MIT', identifier: 'MIT' })
})

test('a record that is only listed, or only read by id, has no other address', () => {
  const only = (reads: string[]) =>
    Object.keys(document({ ...notes, operations: [], entities: [{ ...Note, reads }] }).paths)
  expect(only(['list'])).toEqual(['/api/entities/Note', '/api/surface'])
  expect(only(['get'])).toEqual(['/api/entities/Note/{id}', '/api/surface'])
})

test('what is deprecated says so, at its address and its record, and nothing else does', () => {
  const [count, ...others] = notes.operations ?? []
  const told = document({
    ...notes,
    entities: [{ ...Note, deprecated: announced }],
    operations: [{ ...count, deprecated: announced }, ...others],
  })
  const marks = { deprecated: true, 'x-renown-deprecated': announced }
  for (const [path, item] of Object.entries(told.paths)) {
    const [whole] = Object.values(item)
    const isOld = path.includes('Note') && !path.includes('draft') && !path.includes('mark')
    if (isOld) expect(whole).toMatchObject(marks)
    else
      expect([path, whole?.deprecated, whole?.['x-renown-deprecated']]).toEqual([path, undefined, undefined])
  }
  expect(told.components.schemas?.Note).toMatchObject(marks)
  expect(document().components.schemas?.Note?.deprecated).toBeUndefined()
})

describe('what is described in words', () => {
  test('is what a list leaves out, in which order it comes, and who may call an operation', () => {
    const { paths } = document()
    expect(paths['/api/entities/Note']?.get?.description).toBe(
      'In the order of `-created_date`. Leaves out `is_archived: true` unless `q` names the field. Rows with a value in `removed_at` are read by id only.',
    )
    const { except: _, exceptSet: __, ...plain } = Note
    const bare = document({ ...notes, entities: [{ ...plain, defaultSort: '-score' }] })
    expect(bare.paths['/api/entities/Note']?.get?.description).toBe('In the order of `-score`.')
    const taken = (bare.paths['/api/entities/Note']?.get?.parameters ?? []) as Json[]
    expect(taken[1]).toMatchObject({
      name: 'sort',
      in: 'query',
      schema: { type: 'string', default: '-score' },
    })
    expect(paths['/api/entities/Note/{id}']?.get).not.toHaveProperty('description')
    const said = (name: string) => paths[`/api/functions/${name}`]?.post?.description
    expect(said('countNotes')).toBe(
      "Class `read`, scope `read`. A platform-scoped credential may call it in another agency's workspace.",
    )
    expect(said('draftNote')).toBe(
      "Class `draft`, scope `write`. A platform-scoped credential is refused in another agency's workspace.",
    )
  })

  test('operations name their class and rule, and those that write take a dry run', () => {
    const { paths, components } = document()
    const { post } = paths['/api/functions/draftNote'] ?? {}
    expect(post).toMatchObject({
      'x-renown-class': 'draft',
      'x-renown-cross-agency': 'own',
      requestBody: { required: false },
    })
    const properties = (name: string) => Object.keys((components.schemas?.[name]?.properties ?? {}) as Json)
    expect(properties('draftNoteInput')).toEqual(['title', 'slug', 'dry_run'])
    expect(
      ((components.schemas?.draftNoteInput?.properties ?? {}) as Record<string, Json>).dry_run,
    ).toMatchObject({
      type: 'boolean',
      default: false,
    })
    expect(properties('countNotesInput')).toEqual(['stage'])
    expect(properties('draftNoteOutput')).toEqual(['id', 'title', 'slug'])
    const [example] = (components.schemas?.Note?.examples ?? []) as Json[]
    expect(example?.id).toMatch(/^not_/)
  })
})

test('the shared parameters have their bounds, the headers their types, the problems their codes', () => {
  const { parameters = {}, headers = {}, responses = {}, securitySchemes = {} } = document().components
  const shapes = Object.entries(parameters).map(([key, { name, in: where, schema }]) => {
    const { examples: _, ...bounds } = schema as Json
    return [key, name, where, bounds]
  })
  expect(shapes).toEqual([
    ['q', 'q', 'query', { type: 'string' }],
    ['limit', 'limit', 'query', { type: 'integer', minimum: 1, maximum: 1000, default: 100 }],
    ['skip', 'skip', 'query', { type: 'integer', minimum: 0, maximum: 100_000, default: 0 }],
    ['fields', 'fields', 'query', { type: 'string' }],
    ['cursor', 'cursor', 'query', { type: 'string' }],
    ['count', 'count', 'query', { type: 'string', enum: ['0', '1'], default: '0' }],
    ['workspace', 'X-Workspace-Id', 'header', { type: 'string' }],
    ['requestId', 'X-Request-Id', 'header', { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' }],
    ['ifNoneMatch', 'If-None-Match', 'header', { type: 'string' }],
    ['idempotencyKey', 'Idempotency-Key', 'header', { type: 'string', minLength: 1, maxLength: 255 }],
  ])
  const types = Object.entries(headers).map(([name, { schema }]) => `${name} ${(schema as Json).type}`)
  expect(types).toEqual([
    'X-Has-More boolean',
    'X-Next-Cursor string',
    'Link string',
    'X-Total-Count integer',
    'X-Limit-Applied integer',
    'ETag string',
    'X-Request-Id string',
    'RateLimit-Policy string',
    'RateLimit string',
    'Retry-After integer',
    'WWW-Authenticate string',
    'Idempotent-Replayed string',
    'Deprecation string',
    'Sunset string',
  ])
  const carried = Object.entries(responses).map(([name, answer]) => {
    const own = Object.keys(answer.headers as Json).filter((header) => !always.includes(header))
    return [name, own.join(' ')].join(' ').trim()
  })
  expect(carried).toEqual(
    expect.arrayContaining([
      'Problem400',
      'Problem401 WWW-Authenticate',
      'Problem403',
      'Problem429 Retry-After',
      'Problem503 Retry-After',
    ]),
  )
  expect(carried.filter((line) => line.includes(' '))).toHaveLength(3)
  for (const answer of Object.values(responses))
    expect(Object.keys(answer.headers as Json).join(' ')).toEndWith(always)
  expect(securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' })
})

test('the schema of the surface, of a problem and of a fault name their members', () => {
  const { schemas = {} } = document().components
  const shape = (schema: Json): unknown => {
    const { type, required, properties, enum: values, const: only, items, $ref } = schema
    if ($ref) return last(schema)
    if (properties)
      return Object.fromEntries(
        Object.entries(properties as Record<string, Json>).map(([name, one]) => [
          `${name}${(required as string[] | undefined)?.includes(name) ? '' : '?'}`,
          shape(one),
        ]),
      )
    if (type === 'array') return [shape((items ?? {}) as Json)]
    return values ? (values as string[]).join('|') : only !== undefined ? String(only) : String(type)
  }
  const shapeOf = (name: string) => shape(schemas[name] ?? {})
  expect(shapeOf('Announcement')).toEqual({ since: 'string', sunset: 'string', use: 'string' })
  expect(shapeOf('SurfaceField')).toEqual({
    name: 'string',
    type: 'string|number|integer|boolean|instant|day|array|object',
    'description?': 'string',
    'values?': ['string,number,boolean'],
    'nullable?': 'true',
    'optional?': 'true',
    'element?': 'string',
    'fields?': ['SurfaceField'],
    'filter?': 'none|compare|search',
    'sortable?': 'true',
    'deprecated?': 'Announcement',
    'words?': 'ours|code',
  })
  expect(shapeOf('SurfaceEntity')).toEqual({
    name: 'string',
    summary: 'string',
    'not_yet?': 'string',
    'deprecated?': 'Announcement',
    reads: ['list|get'],
    default_sort: 'string',
    period_field: 'string',
    default_except: 'object',
    always_except_set: ['string'],
    'usual_q?': 'object',
    fields: ['SurfaceField'],
  })
  expect(shapeOf('SurfaceOperation')).toEqual({
    name: 'string',
    summary: 'string',
    'not_yet?': 'string',
    'deprecated?': 'Announcement',
    class: 'read|draft|queue|setup|mark',
    scope: 'read|write',
    cross_agency: 'allowed|own',
    idempotency_key: 'boolean',
    dry_run: 'boolean',
    input: ['SurfaceField'],
    output: ['SurfaceField'],
  })
  expect(shapeOf('Surface')).toEqual({
    version: 'string',
    surface_hash: 'string',
    entities: ['SurfaceEntity'],
    operations: ['SurfaceOperation'],
    events: ['SurfaceEventType'],
    limits: {
      rates: [{ name: 'string', quota: 'integer', window_seconds: 'integer' }],
      list: 'object',
      filter: 'object',
      body_bytes_max: 'integer',
    },
  })
  expect(shapeOf('Fault')).toEqual({
    'pointer?': 'string',
    'parameter?': 'string',
    'header?': 'string',
    code: 'string',
    message: 'string',
    'allowed?': ['string,number,boolean,null'],
    'did_you_mean?': 'string',
  })
  expect(Object.keys(shapeOf('Problem') as Json)).toEqual([
    'type',
    'title',
    'status',
    'detail',
    'instance',
    'code',
    'request_id',
    'errors?',
    'hint?',
  ])
})
