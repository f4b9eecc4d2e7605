import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { type AnyCard, cardShape } from '../../../core/contracts/card'
import type { PluginDeclaration } from '../../../core/contracts/plugin'
import { defineExtensionPoint, definePlugin } from '../../../core/doors/front'
import { homeCard } from '../../../core/doors/pages'
import { cardFaults, ownFields } from '../../../core/registry/page-checks'

const shelfCard = defineExtensionPoint<AnyCard>({
  id: 'shelf.card',
  summary: 'A card on the page of a shelf',
  shape: cardShape,
})

/** A plugin with a page about a shelf, which shows cards and has an action of its own. */
const shelf = {
  name: 'shelf',
  renown: '^1.0.0',
  extensionPoints: [shelfCard],
  pages: [
    {
      path: '/app/shelf',
      title: 'Shelf',
      isStatic: true,
      cards: shelfCard,
      record: { param: 'shelf', entity: {} },
      actions: { rename: {} },
    },
  ],
} as unknown as PluginDeclaration

const noInput = v.strictObject({})
const module = new URL('./card.tsx', import.meta.url)
const action = (input: unknown = noInput) => ({ input, done: 'Done.', run: async () => {} })

const card = (name: string, changes: object = {}): AnyCard =>
  ({ name, order: 10, module, load: async () => null, ...changes }) as AnyCard
const maker = (name: string, ...cards: AnyCard[]) =>
  definePlugin({ name, renown: '^1.0.0', provides: cards.map(shelfCard.with) })
const home = (name: string, ...cards: object[]) =>
  definePlugin({ name, renown: '^1.0.0', provides: cards.map((one) => homeCard.with(one as never)) })

describe('cards on a page', () => {
  test('have no faults when names, fields and components are sound', () => {
    const sound = card('sound', { actions: { 'set-height': action(v.strictObject({ height: v.string() })) } })
    expect(cardFaults([shelf, maker('a', sound), maker('b', card('quiet'))])).toEqual([])
  })

  test.each([
    ['a .ts file', new URL('./card.ts', import.meta.url)],
    ['an address on the web', new URL('https://cards.example/card.tsx')],
    ['a text', './card.tsx'],
    ['nothing', undefined],
  ])('are refused with %s as their component', (_, wrong) => {
    expect(cardFaults([shelf, maker('a', card('odd', { module: wrong }))])).toEqual([
      'a: module of its card odd must be a .tsx or .jsx file',
    ])
  })

  test('may have a .jsx component', () => {
    const script = new URL('./card.jsx', import.meta.url)
    expect(cardFaults([shelf, maker('a', card('script', { module: script }))])).toEqual([])
  })

  test('are refused with an action of the page, of another card, or of the same plugin', () => {
    const rename = { actions: { rename: action() } }
    expect(cardFaults([shelf, maker('a', card('names', rename))])).toEqual([
      'a: the action rename of its card names is one of /app/shelf already',
    ])
    const paint = { actions: { paint: action() } }
    expect(cardFaults([shelf, maker('a', card('wall', paint)), maker('b', card('door', paint))])).toEqual([
      'b: the action paint of its card door is one of the card wall of a already',
    ])
    expect(cardFaults([shelf, maker('a', card('wall', paint), card('door', paint))])).toEqual([
      'a: the action paint of its card door is one of the card wall of a already',
    ])
  })

  test.each([...ownFields, 'shelf'])('are refused with a field %s, which Renown reads', (field) => {
    const taken = card('odd', { actions: { move: action(v.strictObject({ [field]: v.string() })) } })
    expect(cardFaults([shelf, maker('a', taken)])).toEqual([
      `a: the action move of its card odd has a field ${field}, which Renown reads`,
    ])
  })

  test.each(['Move', 'move_up', '1st', '', 'móve'])('are refused with an action named "%s"', (name) => {
    expect(cardFaults([shelf, maker('a', card('odd', { actions: { [name]: action() } }))])).toEqual([
      `a: action name "${name}" of its card odd must be kebab-case`,
    ])
  })

  test.each([
    ['an object that takes unknown fields', v.object({})],
    ['a text', v.string()],
    ['nothing', undefined],
  ])('are refused with %s as the input of an action', (_, input) => {
    expect(
      cardFaults([shelf, maker('a', card('odd', { actions: { move: { ...action(), input } } }))]),
    ).toEqual(['a: the input of action move of its card odd must be a v.strictObject'])
  })

  test('are not looked at while no page shows their point', () => {
    expect(cardFaults([maker('a', card('odd', { module: undefined }))])).toEqual([])
  })
})

describe('cards on the home page', () => {
  const tile = (name: string, actions: object) => ({
    name,
    title: name,
    href: '/app',
    order: 1,
    load: async () => null,
    actions,
  })

  test('need no component', () => {
    expect(cardFaults([home('a', tile('tile', { refresh: action() }))])).toEqual([])
  })

  test('are refused with the same action twice, an odd name or an odd input', () => {
    const plugins = [
      home('a', tile('first', { refresh: action() })),
      home('b', tile('second', { refresh: action(), Reload: action(v.object({})) })),
    ]
    expect(cardFaults(plugins).toSorted()).toEqual([
      'b: action name "Reload" of its card second must be kebab-case',
      'b: the action refresh of its card second is one of the card first of a already',
      'b: the input of action Reload of its card second must be a v.strictObject',
    ])
  })
})
