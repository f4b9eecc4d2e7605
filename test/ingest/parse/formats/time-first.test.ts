import { expect, test } from 'bun:test'
import { readLine } from '../../../../ingest/parse/formats/any-line'
import { startState } from '../../../../ingest/parse/formats/body-state'
import { now } from '../../support/read-hits'

const time = '[28/Nov/2026:12:00:00 +0100]'
const rest = '"GET /a HTTP/1.1" 200 5 "https://b.example/" "UA/1.0"'
const read = (columns: string) => readLine(`${time} ${columns} ${rest}`, startState(now, 2 ** 16), 0)

test('a line that begins with its time has the client before its request, perhaps with names', () => {
  const hit = {
    ts: Date.parse('2026-11-28T11:00:00.000Z'),
    method: 'GET',
    target: '/a',
    status: 200,
    ua: 'UA/1.0',
    referer: 'https://b.example/',
  }
  for (const columns of ['203.0.113.7', '203.0.113.7 - -', '203.0.113.7 - ann', '2001:db8::7'])
    expect([columns, read(columns)]).toEqual([
      columns,
      expect.objectContaining({ ...hit, ip: columns.split(' ')[0] }),
    ])
})

test('a line that begins with its time and names no client is in no known format', () => {
  for (const columns of ['a.example', 'info main', '- - -', '203.0.113'])
    expect([columns, read(columns)]).toEqual([columns, { rejected: 'No known log format' }])
})
