import * as v from 'valibot'
import { Refusal } from '../contracts/errors'
import type { AnyCommand, OwnerContext } from '../contracts/plugin'

export interface CommandDeps {
  readonly commands: ReadonlyMap<string, AnyCommand>
  readonly owner: OwnerContext
}

/** Runs a command on input as it was typed. Throws a Refusal that names each invalid field. */
export async function runCommand(
  { commands, owner }: CommandDeps,
  name: string,
  input: unknown,
): Promise<Record<string, unknown>> {
  const command = commands.get(name)
  if (!command) throw new Refusal('not_found', `There is no command \`${name}\`.`)
  const parsed = v.safeParse(command.input, input)
  if (parsed.success) return command.run(owner, parsed.output)
  const errors = parsed.issues.map((issue) => ({
    pointer: `/${v.getDotPath(issue)?.replaceAll('.', '/') ?? ''}`,
    code: 'invalid_field',
    message: issue.message,
  }))
  throw new Refusal('invalid_field', `The input of \`${name}\` is invalid.`, { errors })
}
