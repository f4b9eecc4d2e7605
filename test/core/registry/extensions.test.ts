import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import {
  defineCommand,
  defineEntity,
  defineExtensionPoint,
  definePlugin,
  type Extension,
  field,
} from '../../../core/doors/front'
import { createRegistry } from '../../../core/registry/registry'
import { startGate } from '../../support/harness'
import { part } from '../../support/part'

interface Printer extends Extension {
  print(text: string): string
}
const printer = defineExtensionPoint<Printer>({
  id: 'office.printer',
  summary: 'Prints a text',
  shape: { print: v.function() },
})
const office = definePlugin({ name: 'office', renown: '^1.0.0', extensionPoints: [printer] })
const maker = (name: string, ...printers: Printer[]) =>
  definePlugin({ name, renown: '^1.0.0', provides: printers.map(printer.with) })
const upper: Printer = { name: 'upper', print: (text) => text.toUpperCase() }
const lower: Printer = { name: 'lower', print: (text) => text.toLowerCase() }

const faultsOf = (...plugins: Parameters<typeof createRegistry>[0]) => {
  try {
    createRegistry(plugins)
  } catch (error) {
    return (error as Error).message.split('\n  ').slice(1)
  }
  return []
}

describe('extension points', () => {
  test('give their plugin the implementations of all other plugins, in order of their names', async () => {
    const gate = await startGate({ plugins: [maker('a', upper), office, maker('b', lower)] })
    const printers = gate.owner.extensions(printer)
    expect(printers.map(({ name }) => name)).toEqual(['lower', 'upper'])
    expect(printers.map(({ print }) => print('Ink'))).toEqual(['ink', 'INK'])
    expect(() => (printers as Printer[]).push(upper)).toThrow()
    await gate.stop()
  })

  test('are empty where nothing is provided, and an error where no plugin declares them', async () => {
    expect(createRegistry([office]).extensions(printer)).toEqual([])
    expect(() => createRegistry([]).extensions(printer)).toThrow(
      'No loaded plugin declares the extension point office.printer',
    )
  })

  test('stop the start for an implementation that does not fit', () => {
    expect(faultsOf(maker('a', upper))).toEqual([
      'a provides office.printer, an extension point that no loaded plugin declares',
    ])
    expect(faultsOf(office, maker('a', part({ name: 'Upper' })))).toEqual([
      expect.stringContaining('a: its office.printer does not fit: print: '),
      expect.stringContaining('a: its office.printer does not fit: name: '),
    ])
    expect(faultsOf(office, maker('a', upper), maker('b', upper))).toEqual([
      'office.printer upper is provided by a and by b',
    ])
    const wrong = definePlugin({ name: 'c', renown: '^1.0.0', provides: [part({ extension: upper })] })
    expect(faultsOf(office, wrong)).toEqual(['c: provides[0] has no point: it is a text'])
  })

  test('have an id of two words, once', () => {
    const other = definePlugin({ name: 'other', renown: '^1.0.0', extensionPoints: [printer] })
    const single = { ...printer, id: 'printer' }
    const third = definePlugin({ name: 'third', renown: '^1.0.0', extensionPoints: [single] })
    expect(faultsOf(third)).toEqual(['third: extension point name "printer" is not <domain>.<noun>'])
    expect(faultsOf(office, other)).toEqual([
      'both office and other declare the extension point office.printer',
    ])
  })
})

describe('field.provided', () => {
  const shelf = defineEntity({
    name: 'Shelf',
    summary: 'A shelf',
    idPrefix: 'slf',
    store: 'documents',
    reads: ['list'],
    scope: { by: 'workspace', field: 'workspace_id' },
    fields: { paper: v.optional(field.provided('office.printer', [], 'Printed by')) },
    sortable: [],
  })
  const label = defineCommand({
    name: 'shelf tag',
    summary: 'Prints a label',
    input: v.strictObject({ by: field.provided('office.printer', [], 'Printer') }),
    run: async () => ({}),
  })
  const shelves = definePlugin({ name: 'shelves', renown: '^1.0.0', entities: [shelf], commands: [label] })
  const accepts = (registry: ReturnType<typeof createRegistry>, by: string) => {
    const command = registry.commands.get('shelf tag')
    const paper = registry.entities.get('Shelf')?.fields.paper
    if (!command || !paper) throw new Error('the shelf is gone')
    return [v.safeParse(command.input, { by }).success, v.safeParse(paper, by).success]
  }

  test('accepts provided names in fields and in inputs of commands, and any text while there are none', () => {
    const laser = definePlugin({
      name: 'laser',
      renown: '^1.0.0',
      provides: [printer.with({ name: 'laser', print: () => '' })],
    })
    const some = createRegistry([office, shelves, laser])
    expect([accepts(some, 'laser'), accepts(some, 'stone')]).toEqual([
      [true, true],
      [false, false],
    ])
    expect(accepts(createRegistry([office, shelves]), 'stone')).toEqual([true, true])
  })
})
