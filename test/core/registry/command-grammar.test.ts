import { describe, expect, test } from 'bun:test'
import type { Command } from 'commander'
import { commandsOf } from '../../../core/cli/commands-of'
import { createProgram } from '../../../core/cli/program'
import { commandNameFault } from '../../../core/registry/command-grammar'
import { builtin } from '../../../plugins/index'

/** Programs of the whole installation. They are about no thing. */
const programs = ['start', 'status', 'doctor', 'ship']

test.each([
  ['site create', null],
  ['review reply', null],
  ['review reply cancel', null],
  ['auto-response set', null],
  ['status show', null],
  ['Site create', 'is not lower-case words'],
  ['site', 'is not a thing and a verb, such as `site create`'],
  ['sites create', 'names "sites", but a thing has to be in the singular'],
  ['site creat', 'does not end with a verb of the shell. Did you mean `create`?'],
  ['create site', 'does not end with a verb of the shell. Did you mean `save`?'],
  ['site one two three create', 'has more than 4 words'],
])('the name of a command is a thing and a verb: %s', (name, fault) => {
  expect(commandNameFault(name)).toBe(fault)
})

describe('every command of the shell', () => {
  const names = leavesOf(createProgram(commandsOf(builtin), {} as Parameters<typeof createProgram>[1]))

  test('is named by the grammar', () => {
    const strays = names.filter((name) => !programs.includes(name) && commandNameFault(name) !== null)
    expect(strays).toEqual([])
  })

  test('is there once', () => {
    expect(names.length).toBeGreaterThan(160)
    expect(names.toSorted()).toEqual([...new Set(names)].sort())
  })
})

function leavesOf(command: Command, before: readonly string[] = []): string[] {
  return command.commands.flatMap((child) => {
    const words = [...before, child.name()]
    const isLeaf = child.options.some(({ long }) => long === '--json') || child.commands.length === 0
    return [...(isLeaf ? [words.join(' ')] : []), ...leavesOf(child, words)]
  })
}
