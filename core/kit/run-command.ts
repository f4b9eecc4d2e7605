import * as v from 'valibot'
import { Refusal } from '../contracts/errors'
import type { OwnerContext } from '../contracts/owner'
import type { CommandDeclaration } from '../contracts/plugin'

/** Runs a declared command with typed input. Throws `invalid_field` with a fault for each invalid field. */
export async function runDeclared<I extends v.GenericSchema>(
  command: CommandDeclaration<I>,
  ctx: OwnerContext,
  input: v.InferInput<I>,
): Promise<Record<string, unknown>> {
  const parsed = v.safeParse(command.input, input)
  const further = command.faultsIn?.(ctx, input) ?? []
  if (parsed.success && further.length === 0) return command.run(ctx, parsed.output)
  const issues = parsed.issues ?? []
  const errors = issues.map((issue) => ({
    pointer: `/${v.getDotPath(issue)?.replaceAll('.', '/') ?? ''}`,
    code: 'invalid_field',
    message: issue.message,
  }))
  throw new Refusal('invalid_field', `The input of \`${command.name}\` is invalid.`, {
    errors: [...errors, ...further],
  })
}
