import { Refusal } from '../contracts/errors'
import type { AnyCommand, OwnerContext } from '../contracts/plugin'
import { runDeclared } from '../kit/run-command'

export interface CommandDeps {
  readonly commands: ReadonlyMap<string, AnyCommand>
  readonly owner: OwnerContext
}

/** Runs a command on typed input. Throws a Refusal that names each invalid field. */
export async function runCommand(
  { commands, owner }: CommandDeps,
  name: string,
  input: unknown,
): Promise<Record<string, unknown>> {
  const command = commands.get(name)
  if (!command) throw new Refusal('not_found', `There is no command \`${name}\`.`)
  return runDeclared(command, owner, input)
}
