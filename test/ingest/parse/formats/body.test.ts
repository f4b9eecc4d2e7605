import { describe, expect, test } from 'bun:test'
import { readBody, unfinished } from '../../../../ingest/parse/formats'

import { ip, line, notARequest, now, one, plain, read, readLines, ts, ua } from '../../support/read-hits'

describe('our own shape', () => {
  const record = { ts: '2026-11-20T16:42:52Z', ip, method: 'GET', path: '/a', ua }
  test('is read whole', () => {
    const more = { host: 'shop.example', status: 404, referer: 'https://chatgpt.com/', id: 'r-1' }
    expect(one({ ...record, ...more })).toEqual({ ...plain, target: '/a', ...more })
  })
  test('may be an object, an array, lines, or objects back to back', () => {
    const text = JSON.stringify(record)
    for (const body of [
      `[${text},${text}]`,
      `${text}\n${text}\n`,
      `${text}\r\n\r\n${text}`,
      text + text,
      `\ufeff[${text}\n,\n${text}]`,
    ])
      expect(read(body)).toMatchObject([{ target: '/a' }, { target: '/a' }])
    expect(read(JSON.stringify(record, null, 2))).toMatchObject([{ target: '/a' }])
  })
  test('numbers lines as they stand and elements as they come', () => {
    const text = JSON.stringify(record)
    expect(readLines(`\n${text}\n\n${text}`, now).map((entry) => entry.line)).toEqual([2, 4])
    expect(readLines(`[${text},3,${text}]`, now).map((entry) => entry.line)).toEqual([1, 2, 3])
  })
  test('without a time is dated when it is read, and marked', () => {
    expect(one({ path: '/a', ua })).toEqual({
      ts: now,
      ip: null,
      method: 'GET',
      target: '/a',
      ua,
      undated: true,
    })
    expect(one({ ...record, ts: null })).toMatchObject({ ts: now, undated: true })
    expect(one(record).undated).toBeUndefined()
  })
  test('one bad line does not fail the others', () => {
    const text = JSON.stringify(record)
    const bad = '{"ts":"yesterday","path":"/a","ua":"x"}'
    expect(read(`${text}\n{bad}\n${bad}\n{"ua":"x","path":""}\n{}\nhello\n${text}`)).toMatchObject([
      { target: '/a' },
      { rejected: 'Not JSON' },
      { rejected: 'The time cannot be read' },
      { rejected: 'The record has no path or URL' },
      { rejected: expect.stringContaining('an unknown form') },
      { rejected: 'No known log format' },
      { target: '/a' },
    ])
  })
  test('a line that is too long is rejected, and those beside it are read', () => {
    const long = line.replace('/a', `/${'a'.repeat(300)}`)
    const outcomes = (lineMax: number) =>
      readLines(
        `${line}\n${long}\n${JSON.stringify({ ...record, path: `/${'a'.repeat(300)}` })}`,
        now,
        lineMax,
      )
    expect(outcomes(300)).toMatchObject([
      { hit: { target: '/a' } },
      { line: 2, rejected: 'The line is too long' },
      { hit: { ua } },
    ])
    expect(outcomes(2 ** 16).filter((one) => 'hit' in one)).toHaveLength(3)
    const far = line.replace('/a', `/${'a'.repeat(70_000)}`)
    expect(readLines(far, now)).toMatchObject([{ rejected: 'The line is too long' }])
  })
  test('a torn array is one bad line', () =>
    expect(read(`[${JSON.stringify(record)}`)).toMatchObject([{ rejected: expect.anything() }]))
  test('nothing has no outcome', () => expect([...read(''), ...read(' \n\r\n\t')]).toEqual([]))
  test('blank lines are skipped 4,096 at a time, so that others get their turn', () => {
    const pauses = (count: number) => {
      const reader = readBody('\n'.repeat(count), now, 300)
      let paused = 0
      while (reader.next() === unfinished) paused++
      return paused
    }
    expect([4_096, 4_097, 8_192, 8_193, 12_288].map(pauses)).toEqual([0, 1, 1, 2, 2])
  })
  test('an array with commas too many has a bad element for each', () => {
    const text = JSON.stringify(record)
    const bad = { rejected: 'Not JSON' }
    expect(read(`[${text},,,${text}]`)).toMatchObject([{ target: '/a' }, bad, bad, { target: '/a' }])
    expect(read(`[${text},}`)).toMatchObject([{ target: '/a' }, bad])
  })
  test('odd types are left out, not trusted', () => {
    expect(
      one({ ...record, ip: { a: 1 }, method: 7, ua: ['x', 'y'], status: 'what', host: null, id: 12 }),
    ).toEqual({
      ...plain,
      method: '7',
      target: '/a',
      ua: 'x',
      ip: null,
      id: '12',
    })
  })
})

describe('access log lines', () => {
  test('are read past what follows the user agent', () => {
    expect(one(`${line} "192.0.2.9" rt=0.004`)).toEqual({ ...plain, target: '/a', status: 200 })
  })
  test('may bear a virtual host, with or without its port, and IPv6', () => {
    expect(one(`shop.example:443 ${line}`)).toMatchObject({ host: 'shop.example', ip })
    expect(one(`shop.example ${line}`)).toMatchObject({ host: 'shop.example', ip })
    expect(one(line.replace(ip, '2001:db8::7'))).toMatchObject({ ip: '2001:db8::7' })
  })
  test('have an address or two columns at least before the time, and may have spaces before them', () => {
    const [, rest = ''] = line.split(' - - ')
    expect(one(`${ip} ${rest}`)).toEqual({ ...plain, target: '/a', status: 200 })
    for (const head of ['web-1', 'shop.example', '-'])
      expect<unknown>(one(`${head} ${rest}`)).toEqual({ rejected: 'No known log format' })
    expect(one(`${ip} - ${rest}`)).toMatchObject({ ip, target: '/a' })
    expect(one(`shop.example :: - ${rest}`)).toMatchObject({ ip: '::', host: 'shop.example' })
    for (const before of [' ', '  '])
      expect(one(`${before}${line}`)).toEqual({ ...plain, target: '/a', status: 200 })
  })
  const before = [' ', '  \t', '\t', '\t ', '\ufeff', ' \ufeff\t ', '\ufeff\ufeff', '\u00a0', '\v', '\u2003']
  const syslog = '<190>Nov 20 16:42:52 web1 nginx: '
  const haproxy = `${ip}:41587 [20/Nov/2026:16:42:52] fe be/srv 0/0 200 5 - - ---- 1/1 0/0 {u} "GET /a HTTP/1.1"`
  const kinds = {
    combined: line,
    'with a host': `shop.example:443 ${line}`,
    'with a client name': line.replace(ip, 'crawl-1.example.com'),
    'of the common format': line.replace(/ "-" ".*/, ''),
    'of RFC 3164': syslog + line,
    'of RFC 3164 without a priority': `Nov 20 16:42:52 web1 nginx: ${line}`,
    'of RFC 5424': `<190>1 2026-11-20T16:42:52Z web1 nginx 12 - - ${line}`,
    'of HAProxy': haproxy,
    'of JSON': JSON.stringify({ ts, ip, path: '/a', ua }),
    'of CloudFront': `1795192972\t${ip}\t200\tGET\t/a\tedge-1\th\tu\t-`,
  }
  test.each(Object.entries(kinds))(
    '%s are the same with spaces or a byte order mark before them',
    (_, text) => {
      const [wanted] = read(text)
      expect(wanted).toMatchObject({ ts, target: '/a' })
      for (const space of before) {
        expect<unknown>([space, ...read(space + text)]).toEqual([space, wanted])
        expect<unknown>([space, ...read(`${line}\n${space}${text}\r\n`)]).toEqual([
          space,
          read(line)[0],
          wanted,
        ])
        expect<unknown>([space, ...read({ log: space + text })]).toEqual([space, wanted])
        expect<unknown>([space, ...read({ log: syslog + space + text })]).toEqual([space, wanted])
      }
    },
  )
  test('by fields are the same with spaces before them, unless a tab may be an empty column', () => {
    const fields = '#Fields: x-id date time cs-uri-stem cs-method'
    const values = ['7', '2026-11-20', '16:42:52', '/a', 'GET']
    const hit = { ts, target: '/a', method: 'GET' }
    for (const space of before) {
      const [, ...hits] = read(`${fields}\n${space}${values.join(' ')}\n${space}${values.join('\t')}`)
      expect([space, ...hits]).toMatchObject([space, hit, hit])
      const [, short] = read(`${fields}\n${space}${values.slice(0, 4).join(' ')}`)
      expect([space, short]).toMatchObject([space, hit])
      const [, torn] = read(`${fields}\n${space}${values.slice(0, 4).join('\t')}`)
      const isUnclear = space.includes('\t')
      expect([space, torn]).toMatchObject([space, isUnclear ? { rejected: 'No known log format' } : hit])
      const [, comment, next] = read(`#Fields: a b c d\n${space}${fields}\n${values.join(' ')}`)
      expect([space, comment, next]).toMatchObject([space, { ignored: 'A comment' }, hit])
    }
    expect(read(`${fields}\n\t{"path":"/a",\t"ua":"x",\t"ts":${ts}}`)[1]).toMatchObject({ ts, target: '/a' })
    expect(read(`${fields}\n\t#Fields:\ta\tb\tc`)[1]).toEqual({ ignored: 'A comment' })
  })
  test('have no tab, control character or broken line of syslog in their first column', () => {
    const unknown = { rejected: 'No known log format' } as never
    for (const head of ['x\t', 'x\0', '\u001b', '\u0085', 'x\u00a0', 'x\ufeff', '<190>']) {
      expect([head, one(`${head}${line}`)]).toEqual([head, unknown])
      expect([head, one(`${head} ${line}`)]).toEqual([head, unknown])
    }
    expect(one(`<190>Nov 20 16:42:52 web1 nginx ${line}`)).toMatchObject({ ip, target: '/a' })
  })
  test('may end after the size, also when their first column begins with a quote', () => {
    for (const client of [ip, '"x'])
      expect(one(line.replace(ip, client).replace(/ "-" ".*/, ''))).toEqual({
        ...plain,
        ip: client,
        target: '/a',
        status: 200,
        ua: '',
      })
    expect(one(line.replace(/"-" ".*/, '"https://a.example/"'))).toMatchObject({
      referer: 'https://a.example/',
      ua: '',
    })
  })
  test('may bear a host name for the client, which is no address', () => {
    expect(one(line.replace(ip, 'crawl-1.example.com'))).toMatchObject({
      ip: 'crawl-1.example.com',
      host: undefined,
    })
    expect(one(line.replace(ip, '-'))).toMatchObject({ ip: null })
  })
  test('cannot be forged through the user name or the path', () => {
    const forged = String.raw`${ip} - x [01/Jan/2020:00:00:00 +0000] \x22GET /evil HTTP/1.1\x22 [20/Nov/2026:16:42:52 +0000] "GET /b\x22 200 1 \x22-\x22 \x22ClaudeBot HTTP/1.1" 200 5 "-" "${ua}"`
    expect(one(forged)).toMatchObject({ ts, target: '/b" 200 1 "-" "ClaudeBot', ua })
  })
  test('have a method of letters and a target', () => {
    const asked = (request: string) => one(line.replace('GET /a HTTP/1.1', request))
    expect(asked('M-SEARCH * HTTP/1.1')).toMatchObject({ method: 'M-SEARCH', target: '*' })
    expect(asked('get /a b HTTP/2.0')).toMatchObject({ method: 'get', target: '/a b' })
    expect(asked('GET /old')).toMatchObject({ method: 'GET', target: '/old' })
    for (const request of [
      'GET',
      'GET ',
      ' /a HTTP/1.1',
      'G3T /a HTTP/1.1',
      '{GET /a',
      `${'A'.repeat(21)} /a`,
    ])
      expect<unknown>([request, asked(request)]).toEqual([request, notARequest])
    for (const [status, wanted] of Object.entries({ 100: 100, 999: 999, '099': undefined, '-': undefined }))
      expect(one(line.replace(' 200 5', ` ${status} 5`)).status).toBe(wanted as number)
  })
  test('with a request that is none are ignored, with a time that is none rejected', () => {
    expect<unknown>(one(line.replace('GET /a HTTP/1.1', '-'))).toEqual(notARequest)
    expect<unknown>(one(line.replace('GET /a HTTP/1.1', ''))).toEqual(notARequest)
    expect<unknown>(one(line.replace('20/Nov', '40/Nov'))).toEqual({ rejected: 'The time cannot be read' })
    expect<unknown>(one(line.slice(0, 50))).toEqual({ rejected: 'No known log format' })
  })
  test('may come through syslog in any of its shapes', () => {
    for (const head of [
      '<190>Nov 20 16:42:52 web1 nginx: ',
      'Nov  2 16:42:52 web1 nginx[12]: ',
      '<190>2026-11-20T16:42:52.864+00:00 web1 nginx: ',
      '2026-11-20T16:42:52Z web1 nginx: ',
      '<190>1 2026-11-20T16:42:52Z web1 nginx 12 - - ',
      '<190>1 2026-11-20T16:42:52Z web1 nginx - ID1 [a@1 b="c ] \\" d"][e@2] \ufeff',
      '<190>Nov 20 16:42:52 2001:db8::5 nginx: ',
    ]) {
      expect(one(head + line)).toMatchObject({ ...plain, target: '/a' })
      expect(one(`${head}${JSON.stringify({ ts, path: '/b', ua })}`)).toMatchObject({ ts, target: '/b' })
    }
  })
  test('may be mixed with JSON lines', () => {
    expect(read(`${line}\n{"ts":${ts},"path":"/b","ua":"x"}\n${line}`)).toMatchObject([
      { target: '/a' },
      { target: '/b' },
      { target: '/a' },
    ])
  })
})

test('nothing of a body stays behind in the engine, even when its reader stops early', () => {
  for (const body of [
    line,
    `{"message":${JSON.stringify(line)}}`,
    `[${JSON.stringify({ path: '/a', ip, ua })}]`,
  ]) {
    read(body)
    expect(RegExp.input).toBe('')
    const reader = readBody(`${body}\n${body}`, now, 2 ** 16)
    reader.next()
    reader.stop()
    expect(RegExp.input).toBe('')
  }
})
