import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import type { EventType } from '../../../core/contracts/event-type'
import { definePlugin } from '../../../core/kit'
import { corePlugins } from '../../../core/product/core-plugins'
import { createRegistry } from '../../../core/registry/registry'

const sound: EventType = {
  name: 'note.made',
  summary: 'A note was made.',
  data: v.strictObject({ n: v.number() }),
  example: { n: 1 },
}
const start = (plugin: object) => () =>
  createRegistry([...corePlugins, definePlugin({ name: 'noting', renown: '^1.0.0', ...plugin })])
const withEvent = (change: object) => start({ events: [{ ...sound, ...change }] })

describe('an event type', () => {
  test('is in the registry by its name', () => {
    expect(withEvent({})().eventTypes.get('note.made')).toMatchObject({ summary: 'A note was made.' })
  })
  test.each([
    [{ name: 'noteMade' }, 'has a name that is not <record>.<what_happened>'],
    [{ summary: 'a note' }, 'has a summary that is not a sentence'],
    [{ data: v.object({ n: v.number() }) }, 'has data that is not a v.strictObject'],
    [{ example: { n: 'one' } }, 'has an example that does not fit its data'],
    [{ exmaple: {} }, 'exmaple is not a key of its declaration; did you mean example?'],
  ])('with %p is refused at start', (change, message) => {
    expect(withEvent(change)).toThrow(message)
  })
  test('is declared by one plugin', () => {
    expect(start({ events: [sound, sound] })).toThrow(
      'both noting and noting declare the event type note.made',
    )
  })
})

test('a subscriber to an unknown event is refused, with the name that was meant', () => {
  const subscribers = { 'note.mode': async () => {} }
  expect(start({ events: [sound], subscribers })).toThrow(
    'noting: subscribes to note.mode, which no loaded plugin declares; did you mean note.made?',
  )
  expect(
    start({ events: [sound], subscribers: { 'note.made': async () => {}, '*': async () => {} } }),
  ).not.toThrow()
})
