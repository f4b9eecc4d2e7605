import { expect, test } from 'bun:test'
import { showsSecrets } from '../../../core/cli/print/print'
import type { Terminal } from '../../../core/cli/print/terminal'
import { withCore } from '../../../core/product/core-plugins'
import { createRegistry } from '../../../core/registry/registry'
import { builtin } from '../../../plugins'

const terminal = (outIsTerminal: boolean) => ({ outIsTerminal }) as Terminal

test('a command whose answer holds a secret does not run where nobody would see the answer', () => {
  const commands = [...createRegistry(withCore(builtin)).commands.values()]
  const refused = (outIsTerminal: boolean, json: boolean) =>
    commands
      .filter((command) => !showsSecrets(command, terminal(outIsTerminal), json))
      .map(({ name }) => name)
      .sort()
  const withSecrets = [
    'key rotate',
    'mention inbound create',
    'mention inbound rotate',
    'owner link create',
    'person invite',
    'person link create',
    'post approval request',
    'site create',
    'site token rotate',
    'webhook create',
    'webhook secret rotate',
  ]
  expect(refused(false, false).filter((name) => !name.startsWith('demo'))).toEqual(withSecrets)
  expect(refused(true, false)).toEqual([])
  expect(refused(false, true)).toEqual([])
})
