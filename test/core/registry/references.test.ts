import { describe, expect, test } from 'bun:test'
import { defineOperation, definePlugin, field } from 'renown'
import * as v from 'valibot'
import { tenancy } from '../../../core/product/tenancy-plugin'
import { referencesIn } from '../../../core/registry/references'
import { createRegistry } from '../../../core/registry/registry'

const withInput = (entries: v.ObjectEntries) =>
  definePlugin({
    name: 'asking',
    renown: '^1.0.0',
    operations: [
      defineOperation({
        name: 'ask',
        summary: 'Asks',
        class: 'read',
        crossAgency: 'own',
        input: v.strictObject(entries),
        output: v.object({}),
        run: async () => ({}),
      }),
    ],
  })
const start = (entries: v.ObjectEntries) => createRegistry([tenancy, withInput(entries)])

describe('an argument that looks like an id', () => {
  const text = field.text('x')
  test.each<[string, v.ObjectEntries]>([
    ['shop_id', { shop_id: text }],
    ['shop_id', { shop_id: v.optional(v.nullable(text)) }],
    ['shop_ids', { shop_ids: field.texts('x') }],
    ['id', { id: text }],
    ['ids', { ids: v.optional(field.texts('x'), []) }],
    ['about.shop_id', { about: v.object({ shop_id: text }) }],
    ['items.*.shop_id', { items: v.array(v.object({ shop_id: text })) }],
    [
      'items.*.of.shop_ids',
      { items: v.optional(v.array(v.object({ of: v.object({ shop_ids: field.texts('x') }) }))) },
    ],
  ])('must say what it names: %s', (path, entries) => {
    expect(() => start(entries)).toThrow(`operation ask: ${path} looks like an id. Say which record it names`)
  })

  test('says it by its name, by field.reference, by field.batch or by the reason why it names nothing', () => {
    const entries = {
      location_id: text,
      location_ids: field.texts('x'),
      shop_id: v.optional(field.reference('BusinessLocation', 'x')),
      ids: field.batch('Notification', 5, 'x'),
      card_id: field.freeId('x', 'The number of a card of the shop'),
      items: v.array(v.object({ of: v.optional(v.object({ location_id: text })) })),
      home: field.reference('BusinessLocation', 'x'),
    }
    const registry = start(entries)
    const operation = registry.operations.get('ask')
    expect(
      referencesIn(registry, operation?.input, 'asking').map(({ path, entity, isBatch }) => [
        path.join('.'),
        entity.name,
        isBatch,
      ]),
    ).toEqual([
      ['location_id', 'BusinessLocation', false],
      ['location_ids.*', 'BusinessLocation', false],
      ['shop_id', 'BusinessLocation', false],
      ['ids.*', 'Notification', true],
      ['items.*.of.location_id', 'BusinessLocation', false],
      ['home', 'BusinessLocation', false],
    ])
  })

  test('names a record type that is loaded and that is in a workspace', () => {
    expect(() => start({ shop_id: field.reference('Shop', 'x') })).toThrow(
      'shop_id names Shop, which no loaded plugin declares',
    )
    expect(() => start({ shop_id: field.reference('Agency', 'x') })).toThrow(
      'shop_id names Agency, which is in no workspace',
    )
  })
})
