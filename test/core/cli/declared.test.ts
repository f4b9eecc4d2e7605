import { expect, test } from 'bun:test'
import { Command } from 'commander'
import * as v from 'valibot'
import { addDeclared } from '../../../core/cli/declared'
import { defineCommand, field } from '../../../core/kit'

const open = defineCommand({
  name: 'shop door open',
  summary: 'Open a door',
  input: v.strictObject({
    door_id: field.text('Which door'),
    width: v.optional(field.integer('How wide')),
    side: field.oneOf(['left', 'right'], 'Which side'),
    quietly: v.optional(field.flag('Without noise'), true),
    wide_open: v.optional(field.flag('All the way')),
    tags: v.optional(field.texts('Labels')),
  }),
  positional: ['door_id'],
  run: async () => ({}),
})

async function typed(...words: string[]) {
  const calls: unknown[] = []
  const said: string[] = []
  const program = new Command()
  addDeclared(program, [open], async (command, input) => void calls.push([command.name, input]))
  const settle = (command: Command) => {
    command
      .exitOverride()
      .configureOutput({ writeErr: (text) => void said.push(text), writeOut: (text) => void said.push(text) })
    command.commands.forEach((child) => {
      settle(child)
    })
  }
  settle(program)
  await program.parseAsync(words, { from: 'user' }).catch(() => {})
  return { call: calls[0], said: said.join('') }
}

test('the words of a name are the words typed; options and positions become the input', async () => {
  const { call } = await typed(
    'shop',
    'door',
    'open',
    'd1',
    '--side',
    'left',
    '--width',
    '3',
    '--wide-open',
    '--tags',
    'a,b',
  )
  expect(call).toEqual([
    'shop door open',
    { door_id: 'd1', side: 'left', width: 3, wide_open: true, tags: ['a', 'b'] },
  ])
})

test('a flag that is on by default can be turned off', async () => {
  const { call } = await typed('shop', 'door', 'open', 'd1', '--side', 'left', '--no-quietly')
  expect(call).toEqual(['shop door open', { door_id: 'd1', side: 'left', quietly: false }])
})

test.each([
  [['shop', 'door', 'open', '--side', 'left'], "missing required argument 'door_id'"],
  [['shop', 'door', 'open', 'd1'], "required option '--side <string>' not specified"],
  [['shop', 'door', 'open', 'd1', '--side', 'up'], 'Allowed choices are left, right.'],
  [['shop', 'door', 'open', 'd1', '--side', 'left', '--sise', '1'], 'unknown option'],
  [['shop', 'door', 'shut'], 'unknown command'],
])('%j is refused with a reason', async (words, reason) => {
  const { call, said } = await typed(...words)
  expect(call).toBeUndefined()
  expect(said).toContain(reason)
})

test('help shows what an input says of itself, with an example', async () => {
  const { said } = await typed('shop', 'door', 'open', '--help')
  expect(said).toContain('Which door')
  expect(said).toContain('(choices: "left", "right")')
  expect(said).toContain('$ bun renown shop door open <door_id> --side left')
})
