import { type ErrorCode, errorTable } from '../contracts/errors'
import { listBounds } from '../query/parse'

/** Parameters that several addresses accept. */
export const parameters = {
  q: query(
    'q',
    'A JSON object: each key is a field, and its value is the value to match. See /docs#filters.',
    { type: 'string', examples: ['{"created_date":{"$gte":"2026-01-01T00:00:00.000Z"}}'] },
  ),
  limit: query(
    'limit',
    'Maximum rows in the answer. A larger limit is lowered, and X-Limit-Applied has the limit that was used.',
    {
      type: 'integer',
      minimum: 1,
      maximum: listBounds.limitMax,
      default: listBounds.limitDefault,
      examples: [20],
    },
  ),
  skip: query('skip', 'Rows to skip. Use `cursor` for the next pages.', {
    type: 'integer',
    minimum: 0,
    maximum: listBounds.skipMax,
    default: 0,
  }),
  fields: query('fields', 'Fields to return, separated by commas. `id` is always returned.', {
    type: 'string',
    examples: ['id,created_date'],
  }),
  cursor: query('cursor', 'X-Next-Cursor of the previous page, with the same sort.', { type: 'string' }),
  count: query('count', '1 adds X-Total-Count.', { type: 'string', enum: ['0', '1'], default: '0' }),
  workspace: header(
    'X-Workspace-Id',
    "Id or name of the workspace to read, with other than plain letters percent-encoded. The account's home workspace if left out.",
    {
      type: 'string',
    },
  ),
  requestId: header('X-Request-Id', 'Used if it is valid. Otherwise a new id is created.', {
    type: 'string',
    pattern: '^[A-Za-z0-9_-]{8,64}$',
    examples: ['nightly-export-0042'],
  }),
  ifNoneMatch: header('If-None-Match', "ETag of the caller's copy: 304 if nothing changed.", {
    type: 'string',
  }),
  idempotencyKey: header(
    'Idempotency-Key',
    'Repeating the key within 24 hours returns the first answer again.',
    {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      examples: ['2f1d6c0e-draft-1'],
    },
  ),
}

const text = { type: 'string' }
/** Headers of answers. */
export const headers = {
  'X-Has-More': { description: 'Whether there are more rows', schema: { type: 'boolean' } },
  'X-Next-Cursor': { description: 'The cursor of the next page, if there are more rows', schema: text },
  Link: {
    description:
      'The next page as rel="next", if there is one; the replacement of something deprecated as rel="deprecation"',
    schema: text,
  },
  'X-Total-Count': { description: 'With count=1, how many rows match', schema: { type: 'integer' } },
  'X-Limit-Applied': {
    description: 'The limit that was used, if a larger one was requested',
    schema: { type: 'integer' },
  },
  ETag: { description: 'For If-None-Match', schema: text },
  'X-Request-Id': { description: 'The id of the request in the log', schema: text },
  'RateLimit-Policy': { description: 'The limits that apply, in the form of the IETF draft', schema: text },
  RateLimit: { description: 'The remaining quota of each limit', schema: text },
  'Retry-After': { description: 'Seconds to wait before the next request', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'The Bearer challenge of RFC 6750', schema: text },
  'Idempotent-Replayed': {
    description: '`true` if this repeats the first answer',
    schema: { type: 'string', enum: ['true'] },
  },
  Deprecation: { description: 'RFC 9745: since when this is deprecated', schema: text },
  Sunset: { description: 'RFC 8594: when it may be removed', schema: text },
}

/** Headers of every answer under /api. */
export const commonHeaders = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'] as const
/** Headers about the next pages. */
export const pageHeaders = [
  'X-Has-More',
  'X-Next-Cursor',
  'X-Total-Count',
  'X-Limit-Applied',
  'ETag',
] as const

/**
 * The codes of the addresses described here. Only MCP can answer that a method is not allowed, and MCP is a
 * separate protocol.
 */
export const httpCodes = (Object.keys(errorTable) as ErrorCode[]).filter(
  (code) => code !== 'method_not_allowed',
)

/** The schema of RFC 9457 with Renown's own members. */
export const problemSchema = {
  type: 'object',
  description: 'RFC 9457. Some codes have more members, such as the id of the conflicting record.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'Address of the code on the reference page' },
    title: { type: 'string', description: 'The code in words' },
    status: { type: 'integer', description: 'The HTTP status' },
    detail: { type: 'string', description: 'What is wrong' },
    instance: { type: 'string', description: 'The requested path' },
    code: { type: 'string', enum: httpCodes, description: 'A closed list' },
    request_id: { type: 'string', description: 'The id of the request in the log' },
    errors: { type: 'array', items: { $ref: '#/components/schemas/Fault' }, description: 'Each fault' },
    hint: { type: 'string', description: 'How to fix it' },
  },
}

/** One error in one input. */
export const faultSchema = {
  type: 'object',
  description: 'One fault of one input: a place in the body, a query parameter or a header.',
  required: ['code', 'message'],
  properties: {
    pointer: { type: 'string', description: 'JSON Pointer into the body or the filter' },
    parameter: { type: 'string', description: 'Query parameter' },
    header: { type: 'string', description: 'Request header' },
    code: { type: 'string', description: 'Kind of error' },
    message: { type: 'string', description: 'The fault in words' },
    allowed: {
      type: 'array',
      items: { type: ['string', 'number', 'boolean', 'null'] },
      description: 'Accepted values',
    },
    did_you_mean: { type: 'string', description: 'Probably meant value' },
  },
}

function query(name: string, description: string, schema: object) {
  return { name, in: 'query', description, schema }
}

function header(name: string, description: string, schema: object) {
  return { name, in: 'header', description, schema }
}
