import { expect, test } from 'bun:test'
import { ip, line, read, ua } from '../../support/read-hits'

const record = { ts: '2026-11-20T16:42:52Z', ip, method: 'GET', path: '/a', ua }
const textOf = (inner: unknown) => (typeof inner === 'string' ? inner : JSON.stringify(inner))
const unknownRecord = { rejected: 'The record has an unknown form: it needs at least ua and path' }
const hit = expect.objectContaining({ target: '/a' })

const wrappers: readonly (readonly [string, unknown, (inner: unknown) => unknown, readonly unknown[]])[] = [
  ['a record in a record', record, (inner) => ({ message: inner }), [unknownRecord]],
  ['a line in a record', line, (inner) => ({ message: inner }), [unknownRecord]],
  ['a text of a record in a record', record, (inner) => ({ message: textOf(inner) }), [unknownRecord]],
  [
    'a record in a line of syslog',
    record,
    (inner) => `<13>1 2026-11-20T16:42:52Z host app - - - ${textOf(inner)}`,
    [{ rejected: 'No known log format' }],
  ],
]

test.each(wrappers)('%s is read through three layers, and not through four', (_, inner, wrap, refused) => {
  let body = inner
  for (let layers = 0; layers <= 3; layers++) {
    expect(read(body)).toEqual([hit])
    body = wrap(body)
  }
  for (let layers = 4; layers <= 6; layers++) {
    expect<unknown>(read(body)).toEqual(refused)
    body = wrap(body)
  }
})

test('a text behind a record is read in two layers, and not in three', () => {
  const behind = { message: `{}${JSON.stringify(line)}` }
  expect(read(behind)).toEqual([unknownRecord, hit])
  expect(read({ message: JSON.stringify(behind) })).toEqual([
    unknownRecord,
    { rejected: 'No known log format' },
  ])
})

test('an entry of Firehose is read through two layers, and not through three', () => {
  const delivered = (inner: unknown) => ({
    requestId: 'x',
    records: [{ data: Buffer.from(textOf(inner)).toString('base64') }],
  })
  for (const inner of [record, line]) {
    const wrapped = { message: { message: inner } }
    expect(read(delivered(wrapped))).toEqual([hit])
    expect<unknown>(read(delivered({ message: wrapped }))).toEqual([unknownRecord])
  }
})

test('records back to back are read in one layer, and in no text within it', () => {
  const twice = (inner: unknown) => ({ message: `${textOf(inner)}${textOf(inner)}` })
  expect(read(twice(record))).toEqual([hit, hit])
  expect(read(twice(twice(record)))).toEqual([{ rejected: 'Not JSON' }, { rejected: 'Not JSON' }])
})
