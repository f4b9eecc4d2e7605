import { expect, test } from 'bun:test'
import { givenArguments } from '../../../core/mcp/given-arguments'
import { inToolWords, problemInToolWords } from '../../../core/mcp/tool-words'

const schema = {
  type: 'object',
  properties: {
    limit: { type: 'integer', maximum: 100 },
    days: { type: 'integer', maximum: 366 },
    count: { type: 'boolean' },
    name: { type: 'string' },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    q: { type: 'object' },
    ids: { type: 'array', items: { type: 'string' } },
    rivals: { type: 'array', items: { type: 'object' } },
  },
} as const

test.each([
  [
    { limit: '5', days: '7' },
    { limit: 5, days: 7 },
  ],
  [{ limit: 5_000 }, { limit: 100 }],
  [{ limit: '5000' }, { limit: 100 }],
  [{ days: 5_000 }, { days: 5_000 }],
  [{ limit: null, name: null, note: null }, { note: null }],
  [{ count: 'true' }, { count: true }],
  [{ count: 'false' }, { count: false }],
  [{ count: 'yes' }, { count: 'yes' }],
  [
    { name: '5', q: { a: null } },
    { name: '5', q: { a: null } },
  ],
  [{ limit: '5 rows' }, { limit: '5 rows' }],
  [{ limit: -1 }, { limit: -1 }],
  [{ other: null }, { other: null }],
  [{ q: '{"a":1}' }, { q: { a: 1 } }],
  [{ q: '[1]' }, { q: '[1]' }],
  [{ q: '{' }, { q: '{' }],
  [{ ids: '["a","b"]' }, { ids: ['a', 'b'] }],
  [{ ids: 'a' }, { ids: ['a'] }],
  [{ ids: '[a' }, { ids: ['[a'] }],
  [{ ids: '' }, { ids: '' }],
  [{ ids: 5 }, { ids: 5 }],
  [{ rivals: { name: 'a' } }, { rivals: [{ name: 'a' }] }],
  [{ rivals: 'a' }, { rivals: 'a' }],
  [{ other: '5' }, { other: '5' }],
  [{ toString: '5' }, { toString: '5' }],
])('%j is taken as %j', (given, taken) => {
  expect(givenArguments(given, schema)).toEqual(taken)
})

test('what nobody has to change is the same object', () => {
  const plain = { name: 'x', q: {}, count: true }
  expect(givenArguments(plain, schema)).toBe(plain)
})

test('a problem names arguments and tools, whatever they are called over HTTP', () => {
  expect(inToolWords('Name its workspace in X-Workspace-Id. GET /api/surface lists them.')).toBe(
    'Name its workspace in workspace_id. describe_records lists them.',
  )
  const problem = {
    type: '',
    title: '',
    status: 409,
    instance: '',
    code: 'conflict',
    request_id: '',
  } as const
  const errors = [
    { header: 'Idempotency-Key', code: 'idempotency_conflict', message: 'use a new Idempotency-Key' },
  ]
  expect(problemInToolWords({ ...problem, detail: 'The body of draftNote is invalid.', errors })).toEqual({
    ...problem,
    detail: 'The arguments of draftNote are invalid.',
    errors: [
      { parameter: 'idempotency_key', code: 'idempotency_conflict', message: 'use a new idempotency_key' },
    ],
  })
})
