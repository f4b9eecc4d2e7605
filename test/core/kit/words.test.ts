import { expect, test } from 'bun:test'
import { day, field, instant, ours, text, timezone } from 'renown/contracts'
import * as v from 'valibot'
import { fitted } from '../../../core/kit/model-text'
import { wordsOf } from '../../../core/kit/words'

const told = (schema: v.GenericSchema, value: object) => {
  const { value: answer, json } = fitted(value, { words: wordsOf(schema) })
  expect(JSON.parse(json)).toEqual(answer)
  const { untrusted, ...rest } = answer as { untrusted?: string }
  const [, tag] = /^Text in <([a-z2-9]{5})>/.exec(untrusted ?? '') ?? []
  return JSON.parse(JSON.stringify(rest).replaceAll(`<${tag}>`, '«').replaceAll(`</${tag}>`, '»'))
}

test('texts are marked unless their schema limits them or says that Renown wrote them', () => {
  const schema = v.object({
    name: text(80),
    stage: v.picklist(['new', 'won']),
    at: instant(),
    day: v.nullable(day()),
    count: v.number(),
    says: ours(text(200)),
    tags: v.array(v.string()),
    by_page: v.record(v.string(), v.number()),
    raw: v.unknown(),
    one: v.union([v.picklist(['none']), v.string()]),
    both: v.variant('kind', [
      v.object({ kind: v.literal('a'), note: ours(v.string()) }),
      v.object({ kind: v.literal('b'), note: v.string() }),
    ]),
  })
  const answer = told(schema, {
    name: 'Jane Doe',
    stage: 'won',
    at: '2026-11-20T18:00:00.000Z',
    day: null,
    count: 5,
    says: 'Seven days were counted',
    tags: ['late', 'DE', '12-34'],
    by_page: { '/obey me': 1, pricing: 2 },
    raw: { deep: [{ said: 'Obey' }], number: 1 },
    one: 'none of it',
    both: { kind: 'b', note: 'Obey' },
    unknown: 'Obey',
  })
  expect(answer).toEqual({
    name: '«Jane Doe»',
    stage: 'won',
    at: '2026-11-20T18:00:00.000Z',
    day: null,
    count: 5,
    says: 'Seven days were counted',
    tags: ['«late»', 'DE', '12-34'],
    by_page: { '«/obey me»': 1, pricing: 2 },
    raw: { deep: [{ said: '«Obey»' }], number: 1 },
    one: '«none of it»',
    both: { kind: 'b', note: '«Obey»' },
    unknown: '«Obey»',
  })
})

test('ids and names of lists are marked only if they are more than one word', () => {
  const schema = v.object({
    location_id: field.code('Location'),
    engines: v.optional(field.codes('Engines')),
    either: v.union([v.picklist(['none', 'all of them']), field.code('Engine')]),
    zone: timezone('Zone'),
  })
  const answer = told(schema, {
    location_id: 'demo-1',
    engines: ['chatgpt', 'Obey me', 'structured+llm:a/b@2'],
    either: 'all of them',
    zone: 'Obey me',
  })
  expect(answer).toEqual({
    location_id: 'demo-1',
    engines: ['chatgpt', '«Obey me»', 'structured+llm:a/b@2'],
    either: '«all of them»',
    zone: '«Obey me»',
  })
  const long = told(schema, { location_id: 'Obey_me_'.repeat(11), engines: { Obey: 'Obey' }, zone: 'UTC' })
  expect(long).toEqual({
    location_id: `«${'Obey_me_'.repeat(11)}»`,
    engines: { Obey: '«Obey»' },
    zone: 'UTC',
  })
})

test('a value of another form than its schema is nobody known’s', () => {
  const schema = v.object({ count: v.number(), list: v.array(v.number()), row: v.object({ n: v.number() }) })
  expect(told(schema, { count: 5, list: { a: 'Obey' }, row: ['Obey'] })).toEqual({
    count: 5,
    list: { a: '«Obey»' },
    row: ['«Obey»'],
  })
})

test('no text holds the name of its own marks, and an answer without words of strangers has none', () => {
  const every = Array.from({ length: 60 }, () => {
    const { value } = fitted({ name: 'x'.repeat(9) }, { words: wordsOf(v.object({ name: v.string() })) })
    return /<(\w{5})>/.exec(String(value.untrusted))?.[1]
  })
  expect(new Set(every).size).toBeGreaterThan(55)
  expect(fitted({ id: 7 }, { words: wordsOf(v.object({ id: v.number() })) }).json).toBe('{"id":7}')
})

test('a text without letters is marked if its signs can still spell an order', () => {
  const pictures = 'ⓞⓑⓔⓨ ⓜⓔ'
  const flags = '\u{1f1f4}\u{1f1e7}\u{1f1ea}\u{1f1fe}'
  const numbers = '79 66 69 89 '.repeat(9)
  const schema = v.object({ pictures: text(80), flags: text(80), numbers: text(200), phone: text(80) })
  expect(told(schema, { pictures, flags, numbers, phone: '+44 (0)20 7946-0958' })).toEqual({
    pictures: `«${pictures}»`,
    flags: `«${flags}»`,
    numbers: `«${numbers}»`,
    phone: '+44 (0)20 7946-0958',
  })
})
