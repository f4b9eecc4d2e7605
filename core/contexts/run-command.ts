import { Refusal } from '../contracts/errors'
import type { AnyCommand, OwnerContext } from '../contracts/plugin'
import { runDeclared } from '../kit/run-command'
import type { Registry } from '../registry/registry'
import { resolveCommand } from './command-references'

export interface CommandDeps {
  readonly commands: ReadonlyMap<string, AnyCommand>
  readonly owner: OwnerContext
  /** Finds the records that a command names. Without it, a command takes ids alone. */
  readonly registry?: Registry
}

/** Runs a command on typed input. Throws a Refusal that names each invalid field. */
export async function runCommand(
  { commands, owner, registry }: CommandDeps,
  name: string,
  input: unknown,
): Promise<Record<string, unknown>> {
  const command = commands.get(name)
  if (!command) throw new Refusal('not_found', `There is no command \`${name}\`.`)
  return runDeclared(command, owner, registry ? await resolveCommand(registry, owner, command, input) : input)
}
