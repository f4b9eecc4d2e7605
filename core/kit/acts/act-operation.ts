import * as v from 'valibot'
import type { Act, ActResult, Given } from '../../contracts/act'
import type { WriteContext } from '../../contracts/context'
import type { AnyEntity, Row } from '../../contracts/entity'
import { Refusal } from '../../contracts/errors'
import type { OperationDeclaration } from '../../contracts/operation'
import { notePrint } from './define-act'

/** What callers say and get, where it differs from the shell, which takes and prints texts. */
interface ActOperation<
  F extends v.ObjectEntries,
  M,
  Name extends string,
  C extends 'draft' | 'queue' | 'setup',
  X extends v.ObjectEntries,
  O extends v.GenericSchema,
> extends Pick<OperationDeclaration<Name, C, v.GenericSchema, O>, 'crossAgency' | 'output' | 'seldom'> {
  readonly name: Name
  readonly class: C
  /** Default: that of the act. */
  readonly summary?: string
  /** The field with the id of the record, and its description. */
  readonly record: readonly [field: string, description: string]
  /** The other fields. */
  readonly fields: X
  /** Returns the fields of the act. */
  given(input: v.InferOutput<v.StrictObjectSchema<X, undefined>>): Given<F>
  /** Returns the answer from what the act did. */
  answer(made: M, result: ActResult<M>): v.InferOutput<O>
}

/** Prints the operation of an act that works inside one workspace. It records the audit entry of the act, with the credential. */
export function actOperation<
  E extends AnyEntity,
  F extends v.ObjectEntries,
  S extends v.ObjectEntries,
  M,
  const Name extends string,
  C extends 'draft' | 'queue' | 'setup',
  X extends v.ObjectEntries,
  O extends v.GenericSchema,
>(
  act: Act<E, F, S, M>,
  { record: [idField, description], fields, given, answer, ...told }: ActOperation<F, M, Name, C, X, O>,
): OperationDeclaration<Name, C, v.GenericSchema, O> {
  const { declared } = act
  if (!declared.runInWorkspace) throw new Error(`${declared.name} needs the system context`)
  const operation = {
    summary: declared.summary,
    ...told,
    input: v.strictObject({ [idField]: v.pipe(v.string(), v.description(description)), ...fields }),
    async run(ctx: WriteContext, sent: Readonly<Record<string, unknown>>) {
      const { [idField]: id, ...input } = sent
      const row: Row<E> | null = await ctx.rows(declared.on.entity).get(String(id))
      if (!row) throw new Refusal('not_found', `There is no such ${declared.on.called} in this workspace.`)
      const done = await act.performForAgent(ctx, { row, input: given(input as Parameters<typeof given>[0]) })
      return answer(done.made as M, done)
    },
  }
  notePrint(operation, [act])
  return operation as unknown as OperationDeclaration<Name, C, v.GenericSchema, O>
}
