import { expect, test } from 'bun:test'
import * as v from 'valibot'
import type { PluginDeclaration } from '../../../core/contracts/plugin'
import { defineExtensionPoint, definePlugin, type Extension, field } from '../../../core/doors/front'
import { homeCard } from '../../../core/doors/pages'
import { withNames } from '../../../core/registry/plugin-context'
import { namesOf } from '../../../core/registry/provided-names'

const printer = defineExtensionPoint<Extension>({ id: 'office.printer', summary: 'Prints a text', shape: {} })
const office = definePlugin({ name: 'office', renown: '^1.0.0', extensionPoints: [printer] })
const laser = definePlugin({ name: 'laser', renown: '^1.0.0', provides: [printer.with({ name: 'laser' })] })

const input = v.strictObject({ by: field.provided('office.printer', [], 'Printer') })
const run = async () => {}
const action = { input, auth: 'session', done: 'Done.', run }

/** A plugin that names printers wherever a declaration has a schema. */
const shelves = {
  name: 'shelves',
  renown: '^1.0.0',
  pages: [{ path: '/app/shelf', actions: { print: action }, submit: action }],
  provides: [
    homeCard.with({
      name: 'shelf',
      title: 'Shelf',
      href: '/app/shelf',
      order: 1,
      load: async () => null,
      actions: { 'print-all': action as never },
    }),
  ],
  queues: { print: { summary: 'Prints', payload: input, run } },
  feeds: { printed: { summary: 'What was printed', takes: input, run } },
  commands: [{ name: 'shelf print', summary: 'Prints', input, run }],
} as unknown as PluginDeclaration

/** The schemas of the plugin, by where they are declared. */
function schemasOf({ pages = [], provides = [], queues, feeds, commands = [] }: PluginDeclaration) {
  const card = provides[0]?.extension as unknown as { actions: Record<string, { input: v.GenericSchema }> }
  return {
    'an action of a page': pages[0]?.actions?.print?.input,
    'the form of a page': pages[0]?.submit?.input,
    'an action of a card': card.actions['print-all']?.input,
    'a queue': queues?.print?.payload,
    'a feed': feeds?.printed?.takes,
    'a command': commands[0]?.input,
  } as Readonly<Record<string, v.GenericSchema>>
}

test.each(Object.keys(schemasOf(shelves)))(
  '%s accepts the names that plugins provide, and no other',
  (place) => {
    const known = withNames(shelves, namesOf([office, laser, shelves]))
    const schema = schemasOf(known)[place] as v.GenericSchema
    const accepts = (by: string) => v.safeParse(schema, { by }).success
    expect([accepts('laser'), accepts('stone')]).toEqual([true, false])
  },
)

test('a plugin is the same while no name is provided', () => {
  expect(withNames(shelves, namesOf([office, shelves]))).toBe(shelves)
})
