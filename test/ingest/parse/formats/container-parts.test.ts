import { describe, expect, test } from 'bun:test'
import { containerLine, partIn, prefixedLine } from '../../../../ingest/parse/formats/senders/container'

const at = '2026-11-28T12:00:00.123456789Z'
const none = { stdout: '', stderr: '' }
const begun = { stdout: 'x', stderr: '' }

describe('a record of a container', () => {
  const isPart = (record: Record<string, unknown>, of = none) =>
    partIn({ stream: 'stdout', ...record }, of)?.isPart ?? null

  test('is a part where it has 16 KiB and no line break, and where it says so', () => {
    const long = 'a'.repeat(16_384)
    expect([isPart({ log: long }), isPart({ log: `${long}\n` }), isPart({ log: long.slice(1) })]).toEqual([
      true,
      null,
      null,
    ])
    // Bytes count, not characters.
    expect(isPart({ log: 'é'.repeat(8_192) })).toBe(true)
    for (const said of [{ logtag: 'P' }, { _p: 'P' }, { partial_message: 'true' }, { partial_message: true }])
      expect(isPart({ log: 'a', ...said })).toBe(true)
    expect(isPart({ log: long, logtag: 'F' })).toBeNull()
    expect(isPart({ log: 'a', partial_message: true, partial_last: 'true' })).toBeNull()
    expect(isPart({ log: long, partial_message: 'false' })).toBe(true)
  })

  test('is the rest of a line that began in its own stream', () => {
    expect(partIn({ stream: 'stdout', log: 'b\n', time: at }, begun)).toEqual({
      stream: 'stdout',
      time: at,
      isPart: false,
      text: 'b\n',
    })
    expect(partIn({ source: 'stdout', message: 'b', time: 5 }, begun)).toEqual({
      stream: 'stdout',
      time: '',
      isPart: false,
      text: 'b',
    })
    expect(partIn({ stream: 'stderr', log: 'b' }, begun)).toBeNull()
    for (const record of [
      { log: 'b' },
      { stream: 'stdin', log: 'b' },
      { stream: 'stdout', log: 5 },
      { stream: 'stdout' },
    ])
      expect(partIn(record, begun)).toBeNull()
  })
})

test('a line of the Container Runtime Interface has its time, its stream and its tag', () => {
  expect(containerLine(`${at} stdout F a  b`)).toEqual({
    time: at,
    stream: 'stdout',
    isPart: false,
    text: 'a  b',
  })
  expect(containerLine(`${at.replace('Z', '+01:00')} stderr P:X x`)).toMatchObject({
    stream: 'stderr',
    isPart: true,
    text: 'x',
  })
  expect(containerLine(`${at} stdout F `)?.text).toBe('')
  for (const line of [
    `${at} stdin F a`,
    `${at} stdout X a`,
    `${at} stdout F`,
    ` ${at} stdout F a`,
    `2026-11-28 stdout F a`,
  ])
    expect(containerLine(line)).toBeNull()
})

test('what stands before a line of a program is left out, and only that', () => {
  expect(prefixedLine(`${at} GET /`)).toEqual({ time: at, text: 'GET /' })
  expect(prefixedLine('web-1  | GET /')).toEqual({ time: undefined, text: 'GET /' })
  expect(prefixedLine(`[pod/web-1/app] ${at} GET /`)).toEqual({ time: at, text: 'GET /' })
  for (const line of ['GET /', `${at} `, 'web-1 |', '| GET /', `${at}GET /`])
    expect(prefixedLine(line)).toBeNull()
})

describe('the beginning that a command of containers writes before a line', () => {
  const text = 'GET /a'
  const rest = (beginning: string) => prefixedLine(`${beginning}${text}`)

  test.each([
    ['the pod and container of kubectl', `[${'p'.repeat(256)}] `, `[${'p'.repeat(257)}] `],
    ['the service of docker compose', `${'s'.repeat(128)} | `, `${'s'.repeat(129)} | `],
    ['spaces after a service', `web${' '.repeat(64)}| `, `web${' '.repeat(65)}| `],
  ])('has bounds: %s', (_, inside, outside) => {
    expect(rest(inside)).toEqual({ time: undefined, text })
    expect(rest(outside)).toBeNull()
  })

  test.each(['12:00:00', '12:00:00.1', '12:00:00.123456789'])('may be a time of the day %s', (clock) => {
    for (const zone of ['Z', '+01:00', '-0530']) {
      const time = `2026-11-20T${clock}${zone}`
      expect(rest(`${time} `)).toEqual({ time, text })
      expect(rest(`web-1  | ${time} `)).toEqual({ time, text })
    }
  })

  test.each([
    '2026-11-20T12:00:0Z ',
    '2026-11-20T12:00:00.1234567890Z ',
    '2026-11-20T12:00:00 ',
    '2026-11-20 ',
  ])('is none without a whole time: %s', (beginning) => expect(rest(beginning)).toBeNull())

  test('is none where nothing stands before the line or behind the beginning', () => {
    expect([prefixedLine(text), prefixedLine('web | '), prefixedLine('')]).toEqual([null, null, null])
  })
})
