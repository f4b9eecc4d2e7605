import { describe, expect, test } from 'bun:test'
import { line, one, read, ts, ua } from '../../support/read-hits'

const at = '2026-11-20T19:22:55.123456789Z'
const atMs = Date.UTC(2026, 10, 20, 19, 22, 55, 123)
const part = { ignored: 'A part of a longer line' }
const hit = expect.objectContaining({ target: '/a', ts })
const undated = JSON.stringify({ ip: '192.0.2.7', path: '/b', ua })

describe('a line of a container runtime', () => {
  test('is read without its beginning', () => {
    for (const tag of ['F', 'F:X']) expect(read(`${at} stdout ${tag} ${line}`)).toEqual([hit])
    expect(read(`2026-11-20T19:22:55.1+01:00 stderr F ${line}`)).toEqual([hit])
  })

  test('gives its time to a record without one', () => {
    expect(one(`${at} stdout F ${undated}`)).toMatchObject({ target: '/b', ts: atMs })
    expect(one(`${at} stdout F ${undated}`).undated).toBeUndefined()
    expect(one(JSON.stringify({ log: `${undated}\n`, stream: 'stdout', time: at }))).toMatchObject({
      target: '/b',
      ts: atMs,
    })
  })

  test('is joined from its parts, each stream apart', () => {
    const first = line.slice(0, 20)
    const second = line.slice(20, 50)
    const third = line.slice(50)
    const other = JSON.stringify({ ts, ip: '192.0.2.7', path: '/a', ua })
    expect(
      read(
        [
          `${at} stdout P ${first}`,
          `${at} stderr P ${other.slice(0, 9)}`,
          `${at} stdout P ${second}`,
          `${at} stdout F ${third}`,
          `${at} stderr F ${other.slice(9)}`,
          `${at} stdout F ${line}`,
        ].join('\n'),
      ),
    ).toEqual([part, part, part, hit, hit, hit])
  })

  test('that never ends is refused within its limit, and does not spoil the next', () => {
    const long = 'x'.repeat(2 ** 14)
    const parts = Array.from({ length: 600 }, () => `${at} stdout P ${long}`)
    const all = read([...parts, `${at} stdout F x`, `${at} stdout F ${line}`].join('\n'))
    expect(all.slice(-2)).toEqual([{ rejected: 'The line is too long' }, hit])
  })

  test.each([
    `${at} ${line}`,
    `[pod/web-5d9c/nginx] ${line}`,
    `[pod/web-5d9c/nginx] ${at} ${line}`,
    `web-1  | ${line}`,
    `web-1  | ${at} ${line}`,
  ])('is read after what the command wrote before it: %s', (text) => expect(read(text)).toEqual([hit]))

  test('with nothing in it is no mistake', () => {
    expect(read(`${at} stdout F `)).toEqual([{ ignored: 'Blank' }])
    expect(read(`${at} hello`)).toEqual([{ rejected: 'No known log format' }])
    expect(read(`[pod/a/b] web-1 | ${'| '.repeat(50)}`)).toEqual([{ rejected: 'No known log format' }])
  })
})
