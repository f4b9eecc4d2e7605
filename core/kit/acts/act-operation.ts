import * as v from 'valibot'
import type { Act, ActRecord, ActResult, Given } from '../../contracts/act'
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
      const row = await recordOf(ctx, declared.on, id)
      const done = await act.performForAgent(ctx, { row, input: given(input as Parameters<typeof given>[0]) })
      return answer(done.made as M, done)
    },
  }
  notePrint(operation, [act])
  return operation as unknown as OperationDeclaration<Name, C, v.GenericSchema, O>
}

/** One of the acts of an operation, with what it takes. */
interface Chosen<Acts> {
  readonly act: keyof Acts & string
  readonly input: Readonly<Record<string, unknown>>
  /** What the caller saw, by the names that forms send it. */
  readonly seen?: Readonly<Record<string, unknown>>
}

/** The acts by name, all about the same type of record. */
// biome-ignore lint/suspicious/noExplicitAny: each act has its own fields
type ActsOf<E extends AnyEntity, M> = Readonly<Record<string, Act<E, any, any, M>>>

interface ChosenOperation<
  E extends AnyEntity,
  M,
  Acts,
  Name extends string,
  C extends 'draft' | 'queue' | 'setup',
  X extends v.ObjectEntries,
  O extends v.GenericSchema,
> extends Pick<
    OperationDeclaration<Name, C, v.GenericSchema, O>,
    'crossAgency' | 'output' | 'seldom' | 'summary'
  > {
  readonly name: Name
  readonly class: C
  /** The field with the id of the record, and its description. */
  readonly record: readonly [field: string, description: string]
  /** The other fields. */
  readonly fields: X
  /** Returns which act is meant, and its fields. Throws a Refusal for what means none. */
  choose(
    ctx: WriteContext,
    row: Row<E>,
    input: v.InferOutput<v.StrictObjectSchema<X, undefined>>,
  ): Chosen<Acts>
  /** Returns the answer from what the act did. */
  answer(made: M, row: Row<E>): v.InferOutput<O> | Promise<v.InferOutput<O>>
}

/** Prints one operation of several acts, for callers that say by its input which of them they mean. */
export function chosenOperation<
  E extends AnyEntity,
  M,
  const Acts extends ActsOf<E, M>,
  const Name extends string,
  C extends 'draft' | 'queue' | 'setup',
  X extends v.ObjectEntries,
  O extends v.GenericSchema,
>(
  acts: Acts & ActsOf<E, M>,
  {
    record: [idField, description],
    fields,
    choose,
    answer,
    ...told
  }: ChosenOperation<E, M, Acts, Name, C, X, O>,
): OperationDeclaration<Name, C, v.GenericSchema, O> {
  const [first] = Object.values<Act<E, v.ObjectEntries, v.ObjectEntries, M>>(acts)
  if (!first) throw new Error(`${told.name} has no act`)
  const operation = {
    ...told,
    input: v.strictObject({ [idField]: v.pipe(v.string(), v.description(description)), ...fields }),
    async run(ctx: WriteContext, sent: Readonly<Record<string, unknown>>) {
      const { [idField]: id, ...given } = sent
      const row = await recordOf(ctx, first.declared.on, id)
      const { act, input, seen } = choose(ctx, row, given as Parameters<typeof choose>[2])
      const { made } = await (acts[act] ?? first).performForAgent(ctx, { row, input, seen })
      return answer(made as M, row)
    },
  }
  notePrint(operation, Object.values(acts))
  return operation as unknown as OperationDeclaration<Name, C, v.GenericSchema, O>
}

/** Returns the record of a call. */
async function recordOf<E extends AnyEntity>(
  ctx: WriteContext,
  on: ActRecord<E>,
  id: unknown,
): Promise<Row<E>> {
  const row: Row<E> | null = await ctx.rows(on.entity).get(String(id))
  if (row) return row
  throw new Refusal('not_found', `There is no such ${on.called} in this workspace.`)
}
