import * as v from 'valibot'
import { Refusal } from '../contracts/errors'
import type { OwnerContext } from '../contracts/owner'
import type { CommandDeclaration } from '../contracts/plugin'
import { isStorable } from '../contracts/values'

/** Runs a declared command with typed input. Throws `invalid_field` with a fault for each invalid field. */
export async function runDeclared<I extends v.GenericSchema>(
  command: CommandDeclaration<I>,
  ctx: OwnerContext,
  input: v.InferInput<I>,
): Promise<Record<string, unknown>> {
  const parsed = v.safeParse(command.input, input)
  const further = [...unstorableTexts(input), ...(command.faultsIn?.(ctx, input) ?? [])]
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

/** The texts of an input that no store can hold. Each would fail later, in words about a field of a record. */
function unstorableTexts(input: unknown) {
  const faults = Object.entries(input ?? {}).filter(([, value]) =>
    [value].flat().some((text) => typeof text === 'string' && !isStorable(text)),
  )
  return faults.map(([name]) => ({
    pointer: `/${name}`,
    code: 'invalid_field',
    message: `${name} must not contain U+0000 or half of a surrogate pair.`,
  }))
}
