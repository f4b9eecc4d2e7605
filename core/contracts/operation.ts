import type { GenericSchema, InferOutput } from 'valibot'
import type { MarkContext, ReadContext, WriteContext } from './context'
import type { Deprecation } from './deprecation'

/** The read plus safe-write ceiling. Nothing outside these five can be registered as callable. */
export const operationClasses = ['read', 'draft', 'queue', 'setup', 'mark'] as const
/** One of the five classes. */
export type OperationClass = (typeof operationClasses)[number]

/** The class decides what the context can do: a read's has no insert, at compile time and at run time. */
export type ContextOf<C extends OperationClass> = C extends 'read'
  ? ReadContext
  : C extends 'mark'
    ? MarkContext
    : WriteContext

/** One named call: its class, its input and output, and what it does. */
export interface OperationDeclaration<
  Name extends string = string,
  C extends OperationClass = OperationClass,
  I extends GenericSchema = GenericSchema,
  O extends GenericSchema = GenericSchema,
> {
  readonly name: Name
  readonly summary: string
  readonly class: C
  /** Whether a platform-scoped credential may call it in another agency's workspace. */
  readonly crossAgency: 'allowed' | 'own'
  /** A `v.strictObject`: unknown keys are refused. */
  readonly input: I
  readonly output: O
  /** Told in the surface, in OpenAPI and in the headers of every call. */
  readonly deprecated?: Deprecation
  run(ctx: ContextOf<C>, input: InferOutput<I>): Promise<InferOutput<O>>
}

/** An operation of any input, output and class. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds operations of any input and context
export type AnyOperation = OperationDeclaration<string, any, any, any>
