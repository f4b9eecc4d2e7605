import { describe, expect, spyOn, test } from 'bun:test'
import { isDelivery, readBody, unfinished } from '../../../../ingest/parse/formats'
import { dataOf, isFirehose, looksLikeFirehose } from '../../../../ingest/parse/formats/senders/firehose'
import { readHaproxy } from '../../../../ingest/parse/formats/senders/haproxy'
import { fieldsOf, readW3c } from '../../../../ingest/parse/formats/senders/w3c'
import { objectEnd, skipSpace, valueEnd } from '../../../../ingest/parse/formats/text/json-spans'
import { ip, now, read, ts, ua } from '../../support/read-hits'

const recordMax = 8_388_608
const slice = 262_144
const badTime = { rejected: 'The time cannot be read' }
const elsewhere = { rejected: expect.stringContaining('send it as ts') }

describe('a combined line whose last two columns are the other way round', () => {
  const page = 'https://shop.example/b'
  const columns = (first: string, second: string) => {
    const [hit] = read(
      `${ip} - - [20/Nov/2026:16:42:52 +0000] "GET /a HTTP/1.1" 200 5 "${first}" "${second}"`,
    )
    const { ua, referer } = hit as { readonly ua: string; readonly referer?: string }
    return [ua, referer]
  }

  test.each(['B/1', `${'Long-product_name.'.repeat(9)}/2.0`, 'Bot/1.0 (+https://b.example)'])(
    'has its user agent by its version: %p',
    (agent) => {
      expect(columns(agent, page)).toEqual([agent, page])
      expect(columns(agent, '-')).toEqual([agent, undefined])
      expect(columns(page, agent)).toEqual([agent, page])
    },
  )

  test.each(['/5', 'Bot', 'a b/5'])('is none where the first column has no product: %p', (first) => {
    expect(columns(first, page)).toEqual([page, first])
  })
})

describe('HAProxy', () => {
  const head = `${ip}:41587 [20/Nov/2026:16:42:52.864] fe be/srv 0/0 200 5 - - ---- 1/1 0/0 `
  const request = '"GET /a HTTP/1.1"'

  test.each([
    ['', { ua: '', referer: undefined, host: undefined }],
    ['{} ', { ua: '', referer: undefined, host: undefined }],
    ['{|} ', { ua: '', referer: undefined, host: undefined }],
    ['{||h} ', { ua: '', referer: undefined, host: 'h' }],
    ['{u} {} ', { ua: 'u', referer: undefined, host: undefined }],
    ['{u|r} {x} ', { ua: 'u', referer: 'r', host: undefined }],
    ['{u|r|h} {x|y} ', { ua: 'u', referer: 'r', host: 'h' }],
    ['{u} v|r|h} ', { ua: 'u} v', referer: 'r', host: 'h' }],
    ['{#7Bu#7D|r#20s|h} ', { ua: '{u}', referer: 'r s', host: 'h' }],
    ['{shop.example|Bot/1.0} ', { ua: 'Bot/1.0', referer: undefined, host: 'shop.example' }],
    ['{shop.example:8443||A Bot/2.0} ', { ua: 'A Bot/2.0', referer: undefined, host: 'shop.example:8443' }],
    ['{https://r.example/a|Bot/1.0} ', { ua: 'Bot/1.0', referer: 'https://r.example/a', host: undefined }],
    ['{HTTP://R.example|Bot/1.0} ', { ua: 'Bot/1.0', referer: 'HTTP://R.example', host: undefined }],
    [
      '{android-app://r.example|Bot/1.0} ',
      { ua: 'Bot/1.0', referer: 'android-app://r.example', host: undefined },
    ],
    ['{h2+x://r|Bot/1.0} ', { ua: 'Bot/1.0', referer: 'h2+x://r', host: undefined }],
    ['{a://r|Bot/1.0} ', { ua: 'Bot/1.0', referer: 'a://r', host: undefined }],
    [
      '{shop.example|Bot/1.0 (+https://b.example)} ',
      { ua: 'Bot/1.0 (+https://b.example)', referer: undefined, host: 'shop.example' },
    ],
    ['{|Bot/1.0|shop.example} ', { ua: 'Bot/1.0', referer: undefined, host: 'shop.example' }],
    ['{10.0.0.1, 8.8.8.8|Bot/1.0} ', { ua: 'Bot/1.0', referer: undefined, host: undefined }],
    ['{shop.example||} ', { ua: 'shop.example', referer: undefined, host: undefined }],
  ])('reads the headers %p', (captures, expected) => {
    expect(readHaproxy(`${head}${captures}${request}`)).toEqual({
      ts: ts + 864,
      zoneless: true,
      ip,
      method: 'GET',
      target: '/a',
      status: 200,
      ...expected,
    })
  })

  test.each([
    `${head}${request} `,
    `${head}"`,
    `${head}x ${request}`,
    `${head}{u} x ${request}`,
    `${head}{u ${request}`,
    `${head}{u} {x ${request}`,
    `${head.replace('fe ', '')}${request}`,
    `${head.replace('fe ', ' fe ')}${request}`,
    `${head.replace('fe ', 'f\te ')}${request}`,
    `${head.replace('200', '2x0')}${request}`,
    `${head.replace('200', '--1')}${request}`,
    `${head.replace(ip, `x ${ip}`)}${request}`,
    `${head.replace(ip, `x\t${ip}`)}${request}`,
    `${head.replace(`${ip}:41587`, '')}${request}`,
    `${head.replace('.864]', '.864]]')}${request}`,
    `${head.replace('20/Nov/2026:16:42:52.864', '')}${request}`,
    `${head.replace('] ', ']')}${request}`,
    `${head.replace(' [', '[')}${request}`,
  ])('does not read %p', (text) => expect(readHaproxy(text)).toBeNull())

  test('reads a client without an address, a status of -1, and refuses a time or a request', () => {
    expect(readHaproxy(`${head.replace(ip, '')}${request}`)).toMatchObject({ ip: null })
    expect(readHaproxy(`${head.replace('200', '-1')}${request}`)).toMatchObject({ status: undefined })
    expect(readHaproxy(`${head.replace('Nov', 'Nex')}${request}`)).toEqual(badTime)
    expect(readHaproxy(`${head}"GET#20/a"`)).toMatchObject({ target: '/a' })
    expect(readHaproxy(`${head}"<BADREQ>"`)).toEqual({ ignored: 'Not a request' })
  })
})

describe('the W3C format', () => {
  const numbered = (count: number) => ['cs-uri-stem', ...Array.from({ length: count - 1 }, (_, n) => `x${n}`)]
  const values = (count: number) => ['/a', ...Array.from({ length: count - 1 }, () => 'v')]
  const isRead = (fields: number, count: number, glue = ' ') =>
    readW3c(values(count).join(glue), numbered(fields), now) !== null

  test('takes three values at least, or all, and none too many', () => {
    const counts = [1, 2, 3, 11, 12, 13]
    expect(counts.map((count) => isRead(12, count))).toEqual([false, false, true, true, true, false])
    expect(counts.map((count) => isRead(12, count, '\t'))).toEqual([false, false, true, true, true, false])
    expect([1, 2, 3].map((count) => isRead(2, count))).toEqual([false, true, false])
  })

  const standard = (count: number, date = '2026-11-20') =>
    [date, '16:42:52', 'x', '5', ip, 'GET', 'd', '/a', '200', '-', ...Array(40).fill('-')].slice(0, count)
  const realTime = (first: string) => [first, ip, '200', 'GET', '/a', 'edge-1', 'h', 'u', '-']

  test('knows the two orders of CloudFront by their values between tabs', () => {
    const isKnown = (all: readonly string[], glue = '\t') => readW3c(all.join(glue), null, now) !== null
    expect([18, 19, 33, 34].map((count) => isKnown(standard(count)))).toEqual([false, true, true, false])
    for (const date of ['2026-11-2', '026-11-20', 'x2026-11-20', '2026-11-201', '2026/11/20', ''])
      expect([date, isKnown(standard(20, date))]).toEqual([date, false])
    for (const first of ['1795192972', '1795192972.1', '1795192972.123'])
      expect([first, isKnown(realTime(first))]).toEqual([first, true])
    for (const first of ['179519297', '17951929720', 'x1795192972', '1795192972x', '1795192972.', '-'])
      expect([first, isKnown(realTime(first))]).toEqual([first, false])
    expect(isKnown(realTime('1795192972').slice(0, 8))).toBe(false)
    expect(isKnown([...realTime('1795192972'), '-'])).toBe(false)
    expect([isKnown(standard(20), ' '), isKnown(realTime('1795192972'), ' ')]).toEqual([false, false])
  })

  test('reads the date with the time, and refuses one without the other', () => {
    const at = (fields: string, line: string) => readW3c(line, fields.split(' '), now)
    expect(at('date time cs-uri-stem', '2026-11-20 16:42:52 /a')).toMatchObject({ ts, target: '/a' })
    expect(at('date x cs-uri-stem', '2026-11-20 16:42:52 /a')).toEqual(elsewhere)
    expect(at('x time cs-uri-stem', '2026-11-20 16:42:52 /a')).toEqual(elsewhere)
    expect(at('date time cs-uri-stem', '- 16:42:52 /a')).toEqual(elsewhere)
    expect(at('date time cs-uri-stem', '2026-11-20 - /a')).toEqual(badTime)
    expect(at('x y cs-uri-stem', '- - /a')).toMatchObject({ ts: now, undated: true })
  })

  test.each([
    ['a+b', 'a b'],
    ['a%20+b', 'a +b'],
    ['a+b c', 'a+b c'],
    ['a%2520b', 'a b'],
  ])('the user agent %p is %p', (written, agent) => {
    expect(readW3c(`/a\t${written}\tx`, ['cs-uri-stem', 'cs-user-agent', 'x'], now)).toMatchObject({
      ua: agent,
    })
  })

  test('names its fields in a comment, which lasts until the next', () => {
    expect(fieldsOf('#FIELDS:  Date\tTime cs(Host) ')).toEqual(['date', 'time', 'cs(host)'])
    for (const line of ['#Fields:', '#Fields: ', '#Field: a', '# Fields: a', '#Version: 1.0'])
      expect(fieldsOf(line)).toBeNull()
    const text = `#Fields: date time cs-uri-stem\n#Remark: x\n#Fields:\n2026-11-20 16:42:52 /a\n#Fields: x y z\n2026-11-20 16:42:52 /a`
    expect(read(text).filter((one) => !('ignored' in one))).toMatchObject([
      { ts, target: '/a' },
      { rejected: 'The record has no path or URL' },
    ])
  })
})

describe('Firehose', () => {
  test('is known by the first 64 characters of an object', () => {
    for (const name of ['"requestId"', '"records"'])
      for (const [spaces, isKnown] of [
        [0, true],
        [63 - name.length, true],
        [64 - name.length, false],
      ] as const)
        for (const before of ['', ' \n'])
          expect(looksLikeFirehose(`${before}{${' '.repeat(spaces)}${name}:`, before.length)).toBe(isKnown)
    for (const text of ['{"requestIds"', 'x{"records"', '{"a":1,"records"', '["records"', ''])
      expect(looksLikeFirehose(text, 0)).toBe(false)
  })

  test('is a record with an id and records', () => {
    expect(isFirehose({ requestId: 'x', records: [] })).toBe(true)
    for (const record of [{ requestId: 1, records: [] }, { requestId: 'x' }, { records: [] }, {}])
      expect(isFirehose(record)).toBe(false)
    expect(isFirehose({ requestId: 'x', records: {} })).toBe(false)
  })

  test('has its data in Base64', () => {
    expect(dataOf({ data: Buffer.from('é').toString('base64') }, { left: 0 })).toBe('é')
    for (const entry of [null, 'x', [], {}, { data: 3 }, { data: null }])
      expect(dataOf(entry, { left: 0 })).toBeNull()
  })

  test.each([
    ['{"requestId":"x","records":[]}', true],
    [' \ufeff{ "records" : [ 1 , {"a":"]}"} ] , "other" : {"b":[1]} , "requestId" : "x" } \n', true],
    ['{"requestId":"x","records":[]}x', false],
    ['{"requestId":"x","records":[]}{}', false],
    ['{"requestId":"x","records":[]', false],
    ['{"requestId":"x","records":[', false],
    ['{"requestId":1,"records":[]}', false],
    ['{"requestId":"x","records":{}}', false],
    ['{"requestId":"x","record":[]}', false],
    ['{"requestIds":"x","records":[]}', false],
    ['{"requestId" "x","records":[]}', false],
    ['{requestId:"x","records":[]}', false],
    ['{"requestId', false],
    ['{"requestId"', false],
    ['["requestId","records"]', false],
    ['"requestId"', false],
    ['{}', false],
    ['', false],
  ])('%p is one whole delivery: %p', async (text, expected) => {
    expect(await isDelivery(text)).toBe(expected)
  })

  test('gives way to other work after every eight slices', async () => {
    const spy = spyOn(globalThis, 'setImmediate')
    const turnsOf = async (slices: number) => {
      const before = spy.mock.calls.length
      const other = `[${' '.repeat(slices * slice)}]`
      expect(await isDelivery(`{"requestId":"x","other":${other},"records":[]}`)).toBe(true)
      return spy.mock.calls.length - before
    }
    try {
      expect([await turnsOf(1), await turnsOf(7), await turnsOf(8), await turnsOf(16)]).toEqual([0, 0, 1, 2])
    } finally {
      spy.mockRestore()
    }
  })
})

describe('sizes', () => {
  test('spaces are passed over 256 Ki at a time', () => {
    const spaces = ' '.repeat(slice + 5)
    expect([skipSpace(spaces, 0), skipSpace(spaces, 3), skipSpace(spaces, 5)]).toEqual([
      slice,
      slice + 3,
      slice + 5,
    ])
    expect(skipSpace(`${spaces}x`, 6)).toBe(slice + 5)
    for (const code of [8, 11, 12, 14, 31, 33, 0xa0, 0xfefe, 0xff00])
      expect([code, skipSpace(String.fromCharCode(code), 0)]).toEqual([code, 0])
  })

  test('a value of 8 Mi characters ends, and a longer one does not', () => {
    for (const [before, after] of [
      ['"', '"'],
      ['[', ']'],
      ['{', '}'],
    ])
      for (const [length, isWhole] of [
        [recordMax, true],
        [recordMax + 1, false],
      ] as const) {
        const text = `  ${before}${' '.repeat(length - 2)}${after},`
        expect([before, length, valueEnd(text, 2)]).toEqual([before, length, isWhole ? length + 2 : -1])
        if (before !== '{') continue
        expect(objectEnd(text, 2)).toBe(isWhole ? length + 2 : -1)
        expect(objectEnd(text.replace('{  ', '{""'), 2)).toBe(isWhole ? length + 2 : -1)
      }
  })

  test('a record of 8 Mi characters is read, alone and behind another', () => {
    const start = `{"path":"/a","ua":"`
    const of = (length: number, end = '"}') =>
      `${start}${'x'.repeat(length - start.length - end.length)}${end}`
    const tooLarge = { rejected: 'A record may have 8388608 characters' }
    expect(read(of(recordMax))).toMatchObject([{ target: '/a' }])
    expect(read(of(recordMax + 1))).toEqual([tooLarge])
    expect(read(`{}${of(recordMax, '')}`).at(-1)).toEqual({ rejected: 'Not JSON' })
    expect(read(`{}${of(recordMax + 1, '')}`).at(-1)).toEqual(tooLarge)
  })

  test('escapes are repaired in lines of up to 64 Ki characters', () => {
    const start = `{"path":"/a","ua":"\\x41`
    const of = (length: number) => `${start}${'x'.repeat(length - start.length - 2)}"}`
    expect(read(of(65_536))).toMatchObject([{ ua: `A${'x'.repeat(32_767)}` }])
    expect(read(of(65_537))).toEqual([{ rejected: 'Not JSON' }])
  })

  test('the values of records of up to 8 Ki characters are not counted', () => {
    const start = `{"path":"/a","ua":"x","more":${'['.repeat(3_000)}${']'.repeat(3_000)}`
    const of = (length: number) => `${start}${' '.repeat(length - start.length - 1)}}`
    expect(read(of(8_192))).toMatchObject([{ target: '/a' }])
    const tooComplex = { rejected: 'The record is nested too deeply or has too many values' }
    expect(read(of(8_193))).toEqual([tooComplex])
    // An escape that needs no repair is no way around the limit.
    for (const written of ['\\/', '\\"', '\\\\', '\\n', '\\u0041'])
      expect([written, ...read(of(8_200).replace('"x"', `"${written}"`))]).toEqual([written, tooComplex])
  })

  test('a repaired escape is no way around the limits of a record', () => {
    const tooComplex = { rejected: 'The record is nested too deeply or has too many values' }
    const of = (more: string, length: number) => {
      const record = `{"path":"/a","ua":"\\v\\x41","more":${more}`
      return `${record}${' '.repeat(Math.max(0, length - record.length - 1))}}`
    }
    const deep = (levels: number, [open, close]: readonly string[] = ['[', ']']) =>
      `${open?.repeat(levels)}${close?.repeat(levels)}`
    const many = (values: number) => `[${'1,'.repeat(values)}1]`
    const hit = expect.objectContaining({ target: '/a', ua: '\vA' })
    expect(read(of(deep(31), 8_193))).toEqual([hit])
    expect(read(of(deep(32), 8_192))).toEqual([hit])
    expect(read(of(many(19_996), 0))).toEqual([hit])
    for (const text of [of(deep(32), 8_193), of(deep(3_000), 8_193), of(many(19_997), 0)])
      expect(read(text)).toEqual([tooComplex])
    // An escaped bracket outside a string counts like a bracket, also when the repair makes the text short.
    const escaped = ['\\x5b', '\\x5d']
    expect(read(of(deep(31, escaped), 8_193))).toEqual([hit])
    for (const levels of [32, 1_000, 1_100])
      expect([levels, ...read(of(deep(levels, escaped), 8_193))]).toEqual([levels, tooComplex])
  })

  test('a number has no zero in front', () => {
    const of = (status: string) => read(`{"path":"/a","ua":"x","status":${status}}`)
    for (const status of ['00', '01', '0404', '0000000404'])
      expect([status, ...of(status)]).toEqual([status, { rejected: 'Not JSON' }])
    expect([of('0'), of('404')]).toMatchObject([[{ status: undefined }], [{ status: 404 }]])
  })

  test('others get their turn after every 256 Ki characters', () => {
    const record = JSON.stringify({ ts: now, ip, path: '/a', ua })
    const pausesOf = (text: string) => {
      const reader = readBody(text, now, 2 ** 16)
      const found = { pauses: 0, hits: 0, others: 0 }
      for (let one = reader.next(); one; one = reader.next())
        if (one === unfinished) found.pauses++
        else if ('target' in one) found.hits++
        else found.others++
      expect(reader.at).toBe(text.length)
      return [found.pauses, found.hits, found.others]
    }
    const spaces = (count: number) => ' '.repeat(count)
    expect({
      elements: pausesOf(`[${record},${spaces(2 * slice + 5)}${record}]`),
      whole: pausesOf(`[${record},${spaces(2 * slice - 1)}${record}]`),
      short: pausesOf(`[${record},${spaces(slice / 2)}${record}]`),
      passed: pausesOf(`[${record},"${'x'.repeat(recordMax)}",${record}]`),
      nested: pausesOf(`[${record},[${'1,'.repeat(recordMax / 2)}1],${record}]`),
    }).toEqual({
      elements: [4, 2, 0],
      whole: [3, 2, 0],
      short: [0, 2, 0],
      passed: [1, 2, 1],
      nested: [64, 2, 1],
    })
  })
})
