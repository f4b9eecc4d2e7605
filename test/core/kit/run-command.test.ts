import { expect, test } from 'bun:test'
import * as v from 'valibot'
import type { CommandDeclaration } from '../../../core/contracts/plugin'
import { runDeclared } from '../../../core/kit/run-command'
import { part } from '../../support/part'

const input = v.strictObject({ name: v.string(), words: v.optional(v.array(v.string())) })
const command = {
  name: 'thing make',
  input,
  run: async (_: unknown, given: v.InferOutput<typeof input>) => ({ made: given.name }),
} as unknown as CommandDeclaration<typeof input>
const run = (given: v.InferInput<typeof input>) => runDeclared(command, part({}), given)

test('a command runs with texts that every store can hold', async () => {
  expect(await run({ name: 'Zoë \u{1F600}', words: ['a\tb'] })).toEqual({ made: 'Zoë \u{1F600}' })
})

test.each([
  ['name', { name: 'a\0b' }],
  ['name', { name: '\ud800' }],
  ['words', { name: 'a', words: ['b', 'c\0'] }],
])(
  'text with U+0000 or half a surrogate pair is refused by the name of its field: %s',
  async (field, given) => {
    const refusal = await run(given).then(
      () => null,
      (error) => error,
    )
    expect(refusal.code).toBe('invalid_field')
    expect(refusal.details.errors).toEqual([
      {
        pointer: `/${field}`,
        code: 'invalid_field',
        message: `${field} must not contain U+0000 or half of a surrogate pair.`,
      },
    ])
  },
)
