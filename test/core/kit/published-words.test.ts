import { expect, test } from 'bun:test'
import { field, instant, ours, text } from 'renown/contracts'
import * as v from 'valibot'
import { jsonSchemaOf } from '../../../core/kit/json-schema'
import { ownWordsOf, withWords, wordsKey } from '../../../core/kit/published-words'
import { wordsOf } from '../../../core/kit/words'
import { shippedSurface } from '../../support/shipped'

const schema = v.object({
  name: text(80),
  stage: v.picklist(['new', 'won']),
  at: instant(),
  says: ours(text(200)),
  id: field.code('Id'),
  notes: v.array(ours(v.string())),
  list: ours(v.array(v.object({ line: v.string() }))),
  by_host: v.record(v.string(), ours(v.string())),
  inside: v.optional(v.nullable(v.object({ line: ours(v.string()), path: v.string() }))),
  both: v.variant('kind', [
    v.object({ kind: v.literal('a'), note: ours(v.string()) }),
    v.object({ kind: v.literal('b'), note: v.string() }),
  ]),
})

/** The dotted paths of the parts of a schema that say whose words they are. */
function said(node: unknown, at = ''): string[] {
  if (node === null || typeof node !== 'object') return []
  return Object.entries(node).flatMap(([name, part]) =>
    name === wordsKey ? [`${at} ${part}`] : said(part, `${at}.${name}`.replace(/^\.|properties\./, '')),
  )
}

test('a schema says of each text of ours whose it is, and nothing of others, closed lists and dates', () => {
  expect(said(withWords(jsonSchemaOf(schema), wordsOf(schema))).sort()).toEqual([
    'by_host.additionalProperties ours',
    'id code',
    'inside.anyOf.0.line ours',
    'list ours',
    'notes.items ours',
    'says ours',
  ])
  expect(ownWordsOf(wordsOf(v.array(field.code('Ids'))))).toBe('code')
  expect(ownWordsOf(wordsOf(v.union([ours(v.string()), v.string()])))).toBeUndefined()
})

test('the surface says it of fields, also of fields inside', () => {
  const fields = shippedSurface().entities.find(({ name }) => name === 'AiTrafficDaily')?.fields ?? []
  const named = new Map(fields.map((one) => [one.name, one]))
  expect([named.get('site_id')?.words, named.get('date')?.words]).toEqual(['code', undefined])
  const errors = named.get('crawler_errors')?.fields ?? []
  expect(errors.map(({ name, words }) => [name, words]).slice(0, 2)).toEqual([
    ['path', undefined],
    ['agent', 'code'],
  ])
})
