const text = { type: 'string' }
const names = { type: 'array', items: text }
const numbers = { type: 'object', additionalProperties: { type: 'number' } }
const fields = { type: 'array', items: { $ref: '#/components/schemas/SurfaceField' } }
const deprecated = { $ref: '#/components/schemas/Announcement' }

/** Schemas of `GET /api/surface`. */
export const surfaceSchemas = {
  Announcement: {
    type: 'object',
    description: 'The announcement of a removal, and its replacement',
    required: ['since', 'sunset', 'use'],
    properties: {
      since: { type: 'string', format: 'date', description: 'Day of the announcement' },
      sunset: { type: 'string', format: 'date', description: 'First day on which it may be gone' },
      use: { type: 'string', description: 'The replacement' },
    },
  },
  SurfaceField: {
    type: 'object',
    description: 'A field of a record, an input or an output',
    required: ['name', 'type'],
    properties: {
      name: text,
      type: {
        type: 'string',
        enum: ['string', 'number', 'integer', 'boolean', 'instant', 'day', 'array', 'object'],
      },
      description: text,
      values: { type: 'array', items: { type: ['string', 'number', 'boolean'] } },
      nullable: { type: 'boolean', const: true },
      optional: { type: 'boolean', const: true },
      words: {
        type: 'string',
        enum: ['ours', 'code'],
        description:
          'Renown writes the text. `code`: only if it is one word, such as an id. Absent: anybody may have written it, and answers to agents mark it',
      },
      element: { type: 'string', description: 'The items of an array' },
      fields,
      filter: {
        type: 'string',
        enum: ['none', 'compare', 'search'],
        description: 'Operators that `q` may use on it',
      },
      sortable: { type: 'boolean', const: true },
      deprecated,
    },
  },
  SurfaceEntity: {
    type: 'object',
    description: 'A record type',
    required: [
      'name',
      'summary',
      'reads',
      'default_sort',
      'period_field',
      'default_except',
      'always_except_set',
      'fields',
    ],
    properties: {
      name: text,
      summary: text,
      not_yet: { type: 'string', description: 'What Renown cannot do with it yet' },
      deprecated,
      reads: { type: 'array', items: { type: 'string', enum: ['list', 'get'] } },
      default_sort: text,
      period_field: {
        type: 'string',
        description: 'The date that a period of aggregateRecords is about, unless `date_field` names another',
      },
      default_except: {
        type: 'object',
        additionalProperties: true,
        description: 'Lists omit rows with these values unless `q` names the field',
      },
      always_except_set: {
        ...names,
        description: 'Every list omits rows with a value in these fields',
      },
      usual_q: {
        type: 'object',
        additionalProperties: true,
        description: 'Filter of the rows that figures count, if they are fewer than lists return',
      },
      fields,
    },
  },
  SurfaceOperation: {
    type: 'object',
    description: 'A named call',
    required: [
      'name',
      'summary',
      'class',
      'scope',
      'cross_agency',
      'idempotency_key',
      'dry_run',
      'input',
      'output',
    ],
    properties: {
      name: text,
      summary: text,
      not_yet: { type: 'string', description: 'What Renown cannot do with it yet' },
      deprecated,
      class: { type: 'string', enum: ['read', 'draft', 'queue', 'setup', 'mark'] },
      scope: { type: 'string', enum: ['read', 'write'] },
      cross_agency: { type: 'string', enum: ['allowed', 'own'] },
      idempotency_key: { type: 'boolean' },
      dry_run: { type: 'boolean' },
      input: fields,
      output: fields,
    },
  },
  SurfaceEventType: {
    type: 'object',
    description: 'A type of events, and the fields of its data',
    required: ['name', 'summary', 'data', 'example'],
    properties: {
      name: text,
      summary: text,
      data: fields,
      example: { type: 'object', additionalProperties: true },
    },
  },
  Surface: {
    type: 'object',
    description: 'Everything that a caller can use, and a digest that changes with it',
    required: ['version', 'surface_hash', 'entities', 'operations', 'events', 'limits'],
    properties: {
      version: text,
      surface_hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      entities: { type: 'array', items: { $ref: '#/components/schemas/SurfaceEntity' } },
      operations: { type: 'array', items: { $ref: '#/components/schemas/SurfaceOperation' } },
      events: { type: 'array', items: { $ref: '#/components/schemas/SurfaceEventType' } },
      limits: {
        type: 'object',
        description: 'The limits of this installation',
        required: ['rates', 'list', 'filter', 'body_bytes_max'],
        properties: {
          rates: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name', 'quota', 'window_seconds'],
              properties: { name: text, quota: { type: 'integer' }, window_seconds: { type: 'integer' } },
            },
          },
          list: numbers,
          filter: { type: 'object', additionalProperties: true },
          body_bytes_max: { type: 'integer' },
        },
      },
    },
  },
} as const
