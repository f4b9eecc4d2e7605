import { describe, expect, test } from 'bun:test'
import { readBody, unfinished } from '../../../../ingest/parse/formats'
import { envelopeIn } from '../../../../ingest/parse/formats/envelopes/read-envelope'
import { ip, now, read, readLines, ua } from '../../support/read-hits'

const record = (path: string) => JSON.stringify({ ts: now, ip, path, ua })
const three = ['/a', '/b', '/c'].map(record)
const data = (text: string) => ({ data: Buffer.from(text).toString('base64') })
const delivery = (records: object[]) => JSON.stringify({ requestId: 'f-1', timestamp: now, records })

/** Every call of `next`, those that found nothing included. */
function calls(text: string): { outcomes: number; pauses: number; texts: Set<string> } {
  const body = readBody(text, now, 2 ** 16)
  const told = { outcomes: 0, pauses: 0, texts: new Set<string>() }
  for (let one = body.next(); one; one = body.next()) {
    if (one === unfinished) told.pauses++
    else {
      told.outcomes++
      told.texts.add('rejected' in one ? one.rejected : 'ignored' in one ? one.ignored : 'hit')
    }
  }
  return told
}

describe('an array', () => {
  test('with an element that is no JSON keeps the others', () => {
    expect(read(`[${three[0]},{"path":},${three[1]},,${three[2]}]`)).toMatchObject([
      { target: '/a' },
      { rejected: 'Not JSON' },
      { target: '/b' },
      { rejected: 'Not JSON' },
      { target: '/c' },
    ])
    expect(read(`[${three[0]} ${three[1]}}]`)).toMatchObject([{ rejected: 'No known log format' }])
  })

  test('that does not end is read as lines', () => {
    expect(read(`[${three}`)).toEqual([{ rejected: 'No known log format' }])
    expect(read(`[${three}]]`)).toEqual([{ rejected: 'No known log format' }])
    expect(read('[error] no JSON at all]\n[x]')).toHaveLength(2)
    expect(read('[error: no, JSON]')).toEqual([{ rejected: 'No known log format' }])
  })

  test('with a text without lines has a blank line', () => {
    for (const text of ['', '\n', ' \n \n'])
      expect(read(JSON.stringify([text]))).toEqual([{ ignored: 'Blank' }])
    expect(read(`[${JSON.stringify(`\n${three[0]}\n`)}]`)).toMatchObject([{ target: '/a' }])
  })

  test('of nothing has no outcome', () => expect(read(' [ ] ')).toEqual([]))

  test('of arrays has an outcome for each', () =>
    expect(calls(`[${'[[]],'.repeat(9)}[]]`)).toMatchObject({ outcomes: 10 }))
})

describe('a delivery of Firehose', () => {
  test('may have its fields in any order', () => {
    const entries = [data(three.join('\n'))]
    const written = `{ "records" : ${JSON.stringify(entries)} , "timestamp": 1, "requestId": "x" }\n`
    expect(read(written)).toHaveLength(3)
    expect(read(delivery(entries))).toHaveLength(3)
  })

  test('is one only with its id and records; several stand on lines of their own', () => {
    expect(read('{"requestId":"x","records":3}')).toMatchObject([{ rejected: expect.anything() }])
    expect(read(`{"records":[${three}]}`)).toMatchObject([{ rejected: expect.anything() }])
    expect(read(delivery([data(three.join('\n'))]).slice(0, -1))).toMatchObject([{ rejected: 'Not JSON' }])
    const two = `${delivery([data(record('/x'))])}\n${delivery([data(record('/y'))])}\n${record('/z')}`
    expect(read(two)).toMatchObject([{ target: '/x' }, { target: '/y' }, { target: '/z' }])
  })

  test('whose records a brace closes ends where it ends', () => {
    const bad = { rejected: 'Not JSON' }
    const unknown = { rejected: 'The record has an unknown form: it needs at least ua and path' }
    const torn = '{"requestId":"x","records":[1},"other":[2]}'
    expect(read(torn)).toEqual([unknown, bad])
    expect(read(`${torn}\n${three[0]}\n{"path":`)).toMatchObject([unknown, bad, { target: '/a' }, bad])
    expect(read('[1}')).toEqual([unknown, bad])
  })

  test('is told apart from records that begin alike', () => {
    const alike = JSON.stringify({ requestId: 'r', ts: now, path: '/a', ua })
    expect(read(`${alike}\n${alike}`)).toMatchObject([{ target: '/a' }, { target: '/a' }])
  })
})

describe('an object over several lines', () => {
  test('is one record when nothing stands behind it', () => {
    const spread = JSON.stringify(JSON.parse(record('/a')), null, 2)
    expect(read(`${spread}\n\n`)).toMatchObject([{ target: '/a' }])
    expect(read(`${spread}\ufeff`)).toMatchObject([{ target: '/a' }])
    expect(readLines(`${spread}x`, now).every((one) => 'rejected' in one)).toBe(true)
  })

  test('may close an inner object on its first line, also before spaces', () => {
    for (const space of ['', ' ', ' '.repeat(4_095), ' '.repeat(9_000)])
      expect([space.length, ...read(`{"more":{}${space}\n,"path":"/a","ua":"x"}\n`)]).toMatchObject([
        space.length,
        { target: '/a' },
      ])
  })

  test('is no object on one line with others after it', () => {
    for (const space of ['', ' '.repeat(4_096)])
      expect(readLines(`\n${three[0]}${space}\n\n${three[1]}`, now)).toMatchObject([
        { line: 2, hit: { target: '/a' } },
        { line: 4, hit: { target: '/b' } },
      ])
    expect(readLines(`\n${three[0]}\n`, now)).toMatchObject([{ line: 2, hit: { target: '/a' } }])
  })
})

describe('structure is bounded where it is read:', () => {
  const wrapped = (inner: string) => `{"path":"/a","ua":"x","more":${inner}}`
  const deep = wrapped('['.repeat(9_000) + ']'.repeat(9_000))
  const wide = wrapped(`[${'1,'.repeat(50_000)}1]`)
  const rejected = { rejected: 'The record is nested too deeply or has too many values' }

  test('a record as a line, as an element, in an entry and among others', () => {
    for (const bad of [deep, wide]) {
      expect(read(bad)).toEqual([rejected])
      expect(read(`${three[0]}\n${bad}\n${three[1]}`)).toMatchObject([{}, rejected, {}])
      expect(read(`[${three[0]},${bad},${three[1]}]`)).toMatchObject([{}, rejected, {}])
      expect(read(`${three[0]}${bad}${three[1]}`)).toMatchObject([{}, rejected, {}])
      expect(read(delivery([data(bad), data(three[0] ?? '')]))).toMatchObject([rejected, {}])
      expect(read(delivery([{ data: three }]))).toMatchObject([{ rejected: expect.anything() }])
    }
  })

  test('a record that is too long is passed over', () => {
    const long = JSON.stringify({ path: '/a', ua: 'x'.repeat(9 * 2 ** 20) })
    expect(read(`[${three[0]},${long},${three[1]}]`)).toMatchObject([
      { target: '/a' },
      { rejected: expect.stringContaining('8388608') },
      { target: '/b' },
    ])
    expect(read(`[${long},${three[0]},${three[1]}]`)).toMatchObject([
      { rejected: expect.stringContaining('8388608') },
      { target: '/a' },
      { target: '/b' },
    ])
  })

  test('others get their turn while nothing is found', () => {
    const mebibyte = 2 ** 20
    for (const [text, least] of [
      [`[${' '.repeat(40)}${'['.repeat(3 * mebibyte)}`, 8],
      [`[${'{"a":1},'.repeat(mebibyte / 4)}1]`, 4],
      ['\n'.repeat(mebibyte), 200],
      [`{"requestId":"x","other":[${'1,'.repeat(mebibyte)}1],"records":[]}`, 4],
    ] as const)
      expect([text.slice(0, 20), calls(text).pauses >= least]).toEqual([text.slice(0, 20), true])
  })

  test('others get their turn while an envelope is checked, and again while its arrays are found', () => {
    const slices = 4
    const member = `"m":"${'x'.repeat(1_000)}",`
    const head = member.repeat((slices * 2 ** 18) / member.length)
    const pausesOf = (text: string) => {
      const progress = { line: 0, at: 0 }
      const envelope = { path: ['records'], open: () => ({ ignored: 'x' }) }
      const walk = envelopeIn(text, 0, envelope, progress, () => ({ ignored: 'x' }))
      const yielded = [...walk]
      return [yielded.filter((one) => one === unfinished).length, yielded.length, progress.at]
    }
    const whole = `{${head}"records":[1]}`
    expect(pausesOf(whole)).toEqual([2 * (slices - 1), 2 * (slices - 1) + 1, whole.length])
    expect(pausesOf(`{${head}"others":[1]}`)).toEqual([2 * (slices - 1), 2 * (slices - 1), 0])
  })

  test('a million of small objects are read one at a time', () => {
    const text = '{}'.repeat(500_000)
    const body = readBody(text, now, 2 ** 16)
    // A copy: Bun writes matchers into the object that it compares, and refusals are shared.
    for (let line = 0; line < 10; line++)
      expect({ ...body.next() }).toMatchObject({ rejected: expect.anything() })
    body.stop()
  })
})

test('a line whose record is too large says so, and keeps the records before it', () => {
  const large = `{"ts":"2026-11-20T12:00:00Z","path":"/large","ua":"${'x'.repeat(8 * 2 ** 20)}"}`
  const tooLarge = { rejected: 'A record may have 8388608 characters' }
  expect(read(large)).toEqual([tooLarge])
  expect(read(`${three[0]}${large}`)).toMatchObject([{ target: '/a' }, tooLarge])
})
