import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  checkJson,
  closingQuote,
  JsonExcess,
  parseForeignJson,
  parseJson,
} from '../../../core/contracts/bounded-json'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const bounds = { depthMax: 4, valuesMax: 10 }
const excess = (text: string) => {
  try {
    checkJson(text, bounds)
    return null
  } catch (error) {
    return error instanceof JsonExcess ? error.message : 'another error'
  }
}

describe('bounded JSON', () => {
  test('is parsed up to the bounds and refused beyond them', () => {
    expect(parseJson(nested(4), bounds)).toEqual([[[[]]]])
    expect(excess(nested(5))).toBe('is nested deeper than 4 levels')
    expect(excess('{"a":{"a":{"a":{"a":{"a":1}}}}}')).toBe('is nested deeper than 4 levels')
    expect(parseJson('[1,2,3,4,5,6,7,8,9,10]', bounds)).toHaveLength(10)
    expect(excess(`[${'1,'.repeat(11)}1]`)).toBe('has more than 10 values')
    expect(excess(`{${'"a":1,'.repeat(11)}"a":1}`)).toBe('has more than 10 values')
    expect(excess(`[${'[],'.repeat(5)}[]]`)).toBe('has more than 10 values')
  })

  test('is refused before its end is seen, so that what follows costs nothing', () => {
    const endless = `${'['.repeat(40)}${'x'.repeat(1e6)}`
    let read = 0
    const watched = {
      length: endless.length,
      charCodeAt(at: number) {
        read = Math.max(read, at + 1)
        return endless.charCodeAt(at)
      },
    }
    expect(() => checkJson(watched as unknown as string, bounds)).toThrow(JsonExcess)
    expect(read).toBe(5)
  })

  test('does not count what stands in strings', () => {
    const text = JSON.stringify({ a: '[[[[[[[[{{{{,,,,,,,,,,,,,,"\\"\\', b: '\\' })
    expect(parseJson(text, bounds)).toEqual(JSON.parse(text))
  })

  test('counts what JSON.parse builds', () => {
    const measure = (value: unknown): { depth: number; values: number } => {
      if (value === null || typeof value !== 'object') return { depth: 0, values: 0 }
      const inner = Object.values(value).map(measure)
      const commas = Math.max(0, inner.length - 1)
      return {
        depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
        values: inner.reduce((sum, { values }) => sum + values, 1 + commas),
      }
    }
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(0, 2), (compact, indent) => {
        const value = JSON.parse(compact)
        const { depth, values } = measure(value)
        const text = `${JSON.stringify(value, null, indent)}${' '.repeat(64)}`
        checkJson(text, { depthMax: depth, valuesMax: values })
        if (depth > 0) expect(() => checkJson(text, { depthMax: depth - 1, valuesMax: values })).toThrow()
        if (values > 0) expect(() => checkJson(text, { depthMax: depth, valuesMax: values - 1 })).toThrow()
      }),
    )
  })

  test('leaves the grammar to JSON.parse', () => {
    for (const text of ['{"a"', '"open', '{"a":"\\"}', ']]]]]', 'nothing of the kind'])
      expect(() => parseJson(text, bounds)).toThrow(SyntaxError)
  })

  test.each([
    ['a"', 1],
    ['a\\"b"', 4],
    ['a\\\\"', 3],
    ['a\\\\\\"', -1],
    ['a', -1],
  ])('finds where the string %p closes', (text, end) => {
    expect(closingQuote(text, 0)).toBe(end)
  })
})

describe('JSON of strangers', () => {
  test('has only texts and names that every store can hold', () => {
    const parsed = parseForeignJson(
      '{"a\\u0000b":["\\ud800","x\\udc00y",{"\\uD83D\\uDE00":"\\u0000"}],"__proto__":"\\u0000x"}',
    )
    expect(JSON.stringify(parsed)).toBe('{"ab":["\ufffd","x\ufffdy",{"😀":""}],"__proto__":"x"}')
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
  })

  test('is otherwise what JSON.parse makes of it', () => {
    for (const text of ['{"a":[1,null,true,"\\u00e9\\n"]}', '"😀"', '[]', '{"page":"Q0FFUUFB=="}'])
      expect(parseForeignJson(text)).toEqual(JSON.parse(text))
    expect(() => parseForeignJson('{"a":')).toThrow()
    expect(() => parseForeignJson('['.repeat(100))).toThrow(JsonExcess)
  })

  test('is read by no plugin in another way', async () => {
    const found: string[] = []
    for (const pattern of ['plugins/**/*.ts', 'core/outbound/**/*.ts']) {
      for await (const path of new Bun.Glob(pattern).scan('.')) {
        const code = await Bun.file(path).text()
        if (/[^.\w](?:parseJson|JSON\.parse)\(/.test(code)) found.push(path)
      }
    }
    // These read what Renown itself wrote.
    expect(found.sort()).toEqual([
      'core/outbound/signing/signing-keys.ts',
      'plugins/leads/sources/post-rows.ts',
      'plugins/reviews/pages/loadReview.ts',
      'plugins/traffic/sites/handOver.ts',
    ])
  })
})
