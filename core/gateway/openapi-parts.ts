import { errorTable } from '../contracts/errors'
import { listBounds } from '../query/parse'

/** Parameters that several addresses take. */
export const parameters = {
  q: query(
    'q',
    'A JSON object whose keys are fields and whose values are the matches required. See /docs#filters.',
    {
      type: 'string',
      examples: ['{"stage":"new"}', '{"created_date":{"$gte":"2026-01-01T00:00:00.000Z"}}'],
    },
  ),
  limit: query('limit', 'The most rows to answer. Larger is clamped and told in X-Limit-Applied.', {
    type: 'integer',
    minimum: 1,
    maximum: listBounds.limitMax,
    default: listBounds.limitDefault,
  }),
  skip: query('skip', 'Rows to skip. Page further with `cursor`.', {
    type: 'integer',
    minimum: 0,
    maximum: listBounds.skipMax,
    default: 0,
  }),
  fields: query('fields', 'The fields wanted, comma separated.', { type: 'string' }),
  cursor: query('cursor', 'X-Next-Cursor of the page before, under the same sort.', { type: 'string' }),
  count: query('count', '1 adds X-Total-Count.', { type: 'string', enum: ['0', '1'] }),
  workspace: header(
    'X-Workspace-Id',
    "The workspace to read. The account's home workspace where it is left out.",
    {
      type: 'string',
    },
  ),
  idempotencyKey: header('Idempotency-Key', 'The same key within 24 hours gets the first answer again.', {
    type: 'string',
    maxLength: 255,
  }),
}

/** What lists tell beside their rows. */
export const headers = {
  'X-Has-More': { description: 'Whether rows follow', schema: { type: 'boolean' } },
  'X-Next-Cursor': {
    description: 'Where rows follow, the cursor of the next page',
    schema: { type: 'string' },
  },
  Link: { description: 'Where rows follow, the next page as rel="next"', schema: { type: 'string' } },
  'X-Total-Count': { description: 'With count=1, how many rows match', schema: { type: 'integer' } },
  'X-Limit-Applied': {
    description: 'The limit, where a larger one was asked for',
    schema: { type: 'integer' },
  },
  ETag: { description: 'For If-None-Match', schema: { type: 'string' } },
}

/** RFC 9457 with our members. */
export const problemSchema = {
  type: 'object',
  description: 'RFC 9457',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errorTable) },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          pointer: { type: 'string' },
          parameter: { type: 'string' },
          header: { type: 'string' },
          code: { type: 'string' },
          message: { type: 'string' },
          allowed: { type: 'array' },
          did_you_mean: { type: 'string' },
        },
      },
    },
    hint: { type: 'string' },
  },
}

function query(name: string, description: string, schema: object) {
  return { name, in: 'query', description, schema }
}

function header(name: string, description: string, schema: object) {
  return { name, in: 'header', description, schema }
}
