import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { fieldPathOf, fieldPathParts, type LogMapping, mappedTimes } from 'renown/contracts'
import { mappedReader, readBody, unfinished } from '../../../../ingest/parse/formats'
import { nameOf, timeOf } from '../../../../ingest/parse/formats/mapped'
import { ip, line, now, ts, ua } from '../../support/read-hits'

const mapping: LogMapping = {
  path: 'req.uri',
  user_agent: 'req.headers.User-Agent',
  time: 'at',
  address: 'peer.ip',
  method: 'req.verb',
  host: 'req.host',
  status: 'code',
  referrer: 'req.headers.Referer',
  id: 'rid',
}
const whole = {
  at: '2026-11-20T16:42:52Z',
  peer: { ip },
  code: '404',
  rid: 'r-1',
  req: {
    uri: '/a?b=1',
    verb: 'HEAD',
    host: 'shop.example',
    headers: { 'User-Agent': ua, Referer: 'https://x.test/' },
  },
}
const hit = {
  ts,
  ip,
  method: 'HEAD',
  target: '/a?b=1',
  host: 'shop.example',
  ua,
  referer: 'https://x.test/',
  status: 404,
  id: 'r-1',
}

function read(body: unknown, by: LogMapping = mapping) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const reader = readBody(text, now, 2 ** 16, mappedReader(by))
  const results: unknown[] = []
  for (let one = reader.next(); one; one = reader.next()) if (one !== unfinished) results.push(one)
  return results
}

describe('a mapping', () => {
  test('finds each fact of a request', () => {
    expect(read(whole)).toEqual([hit])
    expect(read([whole, whole])).toEqual([hit, hit])
  })

  test('reads records inside envelopes, and their time where the record has none', () => {
    const text = JSON.stringify(whole)
    for (const body of [{ log: `${text}\n` }, { event: whole }, `2026-11-20T19:22:55Z stdout F ${text}`])
      expect(read(body)).toEqual([hit])
    const { at: _, ...undated } = whole
    expect(read({ time: ts / 1000, event: undated })).toEqual([{ ...hit, enveloped: true, written: undated }])
    expect(read(undated)).toEqual([{ ...hit, ts: now, undated: true, written: undated }])
  })

  test('goes before every known format, and leaves all other lines to them', () => {
    const known = { ts: '2026-11-20T16:42:52Z', ip, path: '/known', ua }
    expect(read(known)).toEqual([expect.objectContaining({ target: '/known' })])
    expect(read({ ...known, ...whole })).toEqual([hit])
    expect(read({ ...known, real: '/mapped' }, { path: 'real', user_agent: 'ua', time: 'ts' })).toEqual([
      expect.objectContaining({ target: '/mapped', ip: null, ts }),
    ])
    expect(read(line)).toEqual([expect.objectContaining({ target: '/a' })])
  })

  test('has a reason for what it cannot read', () => {
    const reasonOf = (more: object) => read({ ...whole, ...more })[0] as object
    expect(reasonOf({ at: 'yesterday' })).toEqual({ rejected: 'The time cannot be read' })
    expect(reasonOf({ req: { headers: whole.req.headers } })).toEqual({
      rejected: 'The record has no path or URL',
    })
    expect(reasonOf({ req: { uri: 'no request line at all', headers: {} } })).toEqual({
      ignored: 'Not a request',
    })
    expect(reasonOf({ req: { uri: '/a' } })).toMatchObject({ target: '/a', ua: '', method: 'GET' })
    expect(reasonOf({ req: 3 })).toEqual({
      rejected: 'The record has an unknown form: it needs at least ua and path',
    })
  })

  test('reads a request line, and a URL', () => {
    const of = (uri: string) => read({ ...whole, req: { uri, headers: whole.req.headers } })[0]
    expect(of('POST /b?x HTTP/2.0')).toMatchObject({ method: 'POST', target: '/b?x' })
    expect(of('https://shop.example/b')).toMatchObject({ method: 'GET', target: 'https://shop.example/b' })
  })

  test('reads lists of names and values, and elements by number', () => {
    const headers = [
      { name: 'Host', value: 'shop.example' },
      { name: 'user-agent', value: ua },
    ]
    const by = { path: 'r.u.1', user_agent: 'r.h.User-Agent', host: 'r.h.host' }
    expect(read({ r: { u: ['x', '/b'], h: headers } }, by)).toEqual([
      expect.objectContaining({ target: '/b', ua, host: 'shop.example' }),
    ])
    expect(read({ r: { u: ['x'], h: [null, 3, {}, { name: 3, value: 3 }, ...headers] } }, by)).toEqual([
      { rejected: 'The record has no path or URL' },
    ])
  })

  test('takes of elements with one name the first that has a value, by name or key in any case', () => {
    const uaOf = (h: unknown) => {
      const [one] = read({ r: { u: '/b', h } }, { path: 'r.u', user_agent: 'r.h.User-Agent' })
      return (one as { ua?: string }).ua
    }
    expect(
      uaOf([{ name: 'User-Agent' }, { key: 'USER-AGENT', value: ua }, { name: 'User-Agent', value: 'x' }]),
    ).toBe(ua)
    expect(
      uaOf([
        { name: 5, value: 'x' },
        { name: null, key: 'user-agent', value: ua },
      ]),
    ).toBe(ua)
    const filler = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `h${at}`, value: 'x' }))
    expect(uaOf([...filler(199), { name: 'User-Agent', value: ua }])).toBe(ua)
    expect(uaOf([...filler(200), { name: 'User-Agent', value: ua }])).not.toBe(ua)
    expect(nameOf({ name: 'a', value: undefined })).toBe('a')
    for (const other of [{ name: 'a' }, { value: 1 }, { name: 5, value: 1 }, null, 'a', [], ['a', 'b']])
      expect(nameOf(other)).toBeUndefined()
  })

  test('finds whatever is at a path, whatever its names contain', () => {
    const name = fc.string({ minLength: 1, maxLength: 12 }).filter((one) => one !== '__proto__')
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.array(name, { minLength: 1, maxLength: 4 }), {
          minLength: 2,
          maxLength: 2,
          selector: (parts) => parts[0],
        }),
        ([path = [], agent = []]) => {
          const nested = (parts: string[], value: string) =>
            parts.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value) as object
          const by = { path: fieldPathOf(path), user_agent: fieldPathOf(agent) }
          expect(fieldPathParts(by.path)).toEqual(path)
          const record = { ...nested(path, '/found'), ...nested(agent, ua) }
          const [found] = read(record, by) as [Record<string, unknown>]
          expect([found.target, found.ua]).toEqual(['/found', ua])
        },
      ),
      { numRuns: 300 },
    )
  })

  test('is never an error, whatever the record is', () => {
    const leaf = fc.constantFrom<unknown>(
      '/a',
      ua,
      ip,
      '2026-11-20T16:42:52Z',
      404,
      null,
      true,
      '',
      '-',
      1e300,
      {},
    )
    const key = fc.constantFrom('req', 'uri', 'headers', 'User-Agent', 'at', 'peer', 'ip', '0', 'x')
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.dictionary(key, tie('value'), { maxKeys: 5 }),
        fc.array(tie('value'), { maxLength: 3 }),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 6 }), (record) => {
        const results = read(record)
        expect(results).toHaveLength(1)
        const [one] = results as [Record<string, unknown>]
        if ('target' in one) {
          expect(typeof one.target).toBe('string')
          expect(Number.isFinite(one.ts)).toBe(true)
        } else expect('rejected' in one || 'ignored' in one).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('the time of a mapping', () => {
  test('is read in its format', () => {
    const written: Record<string, unknown[]> = {
      iso: ['2026-11-20T16:42:52Z', ' 2026-11-20 16:42:52'],
      clf: ['20/Nov/2026:16:42:52 +0000', '[20/Nov/2026:17:42:52 +0100]'],
      seconds: [ts / 1e3, `${ts / 1e3}`, `${ts / 1e3}.000`],
      milliseconds: [ts, `${ts}`],
      microseconds: [ts * 1e3, `${ts}000`],
      nanoseconds: [`${ts}000000`],
    }
    for (const [format, values] of Object.entries(written))
      for (const value of values) {
        expect(timeOf(value, format as 'iso')).toBe(ts)
        expect(timeOf(value, 'auto')).toBe(ts)
      }
    expect(timeOf(ts, 'iso')).toBeNull()
    expect(timeOf('2026-11-20T16:42:52Z', 'clf')).toBeNull()
    expect(timeOf('20/Nov/2026:16:42:52 +0000', 'iso')).toBeNull()
    // Small numbers are only known by their format.
    expect(timeOf(12, 'seconds')).toBe(12_000)
    expect(timeOf(12, 'auto')).toBeNull()
  })
  test('is never a date that does not exist', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...mappedTimes),
        fc.oneof(fc.double(), fc.string(), fc.anything()),
        (of, value) => {
          const read = timeOf(value, of)
          if (read !== null) expect(Number.isNaN(new Date(read).getTime())).toBe(false)
        },
      ),
    )
  })
})

test('a mapping by mistake makes no path and no id of an address', () => {
  for (const address of [ip, '2a01:4f8::7', '20.171.206.17']) {
    const record = { path: '/a', ua, client: address, at: '2026-11-20T16:42:52Z' }
    const read = (more: Partial<LogMapping>) =>
      mappedReader({ path: 'path', user_agent: 'ua', time: 'at', ...more })(record, now)
    expect(read({ path: 'client' })).toHaveProperty('rejected')
    expect(read({ id: 'client' })).toMatchObject({ target: '/a', id: undefined })
  }
})
