import { expect, test } from 'bun:test'
import { lokiLines } from '../../../../ingest/parse/binary/loki-push'
import { lengthField } from '../../../../ingest/parse/binary/protobuf'

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    bytes.push(left < 128 ? left : (left % 128) + 128)
    if (left < 128) return Buffer.from(bytes)
  }
}
const numberField = (no: number, value: number) => Buffer.concat([varint(no * 8), varint(value)])
const push = (seconds: number, nanos?: number) => {
  const time = [numberField(1, seconds), ...(nanos === undefined ? [] : [numberField(2, nanos)])]
  const entry = Buffer.concat([lengthField(1, Buffer.concat(time)), lengthField(2, Buffer.from('GET /'))])
  return lengthField(1, lengthField(2, entry))
}

test.each([
  ['without nanoseconds', undefined, '1772366400.000000000'],
  ['with a few of them', 7_000_000, '1772366400.007000000'],
  ['with most of them', 999_999_999, '1772366400.999999999'],
])('the time of an entry %s is read to the nanosecond', (_, nanos, time) => {
  const lines = [...lokiLines(push(1_772_366_400, nanos), { left: 100 })]
  expect(lines.map((line) => line && JSON.parse(line))).toEqual([{ time, event: 'GET /' }])
})
