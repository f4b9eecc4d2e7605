import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { MarkContext, ReadContext, WriteContext } from './context'
import type { Deprecation } from './deprecation'

/** The classes of operations: reads and safe writes. No other operation can be registered. */
export const operationClasses = ['read', 'draft', 'queue', 'setup', 'mark'] as const
/** One of the five classes. */
export type OperationClass = (typeof operationClasses)[number]

/**
 * The class decides what the context can do. For example, the context of a read has no insert, neither in its type
 * nor at run time.
 */
export type ContextOf<C extends OperationClass> = C extends 'read'
  ? ReadContext
  : C extends 'mark'
    ? MarkContext
    : WriteContext

/** A shorter form of an answer. */
export interface ShortAnswer {
  readonly answer: object
  /** Says what was left out, and how to read it. */
  readonly left: string
}

/** A field that takes any object, and the schema that another field chose for it. */
export interface InsideField {
  readonly field: string
  readonly schema: GenericSchema
  /** The command that the schema is of. Its plugin decides what names such as `tracker_id` mean. */
  readonly command: string
}

/** One operation: its class, its input and output, and its code. */
export interface OperationDeclaration<
  Name extends string = string,
  C extends OperationClass = OperationClass,
  I extends GenericSchema = GenericSchema,
  O extends GenericSchema = GenericSchema,
> {
  readonly name: Name
  readonly summary: string
  readonly class: C
  /** Whether a platform credential may call it in a workspace of another agency. */
  readonly crossAgency: 'allowed' | 'own'
  /** A `v.strictObject`, which rejects unknown keys. */
  readonly input: I
  readonly output: O
  /**
   * Fields that a short answer for an agent leaves out if it does not fit. Of an operation with a `limit`: fields of the listed
   * rows, such as `synced_at` or `mention.status`, which `get_record` returns. Of any other: paths in the answer, such as
   * `by_engine.previous`, which the tool returns with `full: true`. `errors.most[5]` leaves out all but the first five items,
   * and `trend?interval` keeps the trend if the call has an `interval`.
   */
  readonly seldom?: readonly string[]
  /**
   * Shortens an answer for an agent, whose memory it takes. Programs that call over HTTP get the whole answer. Returns null if
   * the answer is short already.
   */
  shorten?(answer: InferOutput<O>, input: InferInput<I>): ShortAnswer | null
  /**
   * The schema of a field that takes any object, which another field decides. The ids in it are looked up as those of the
   * input are.
   */
  inside?(input: InferOutput<I>): InsideField | null
  /** Published in the surface, in OpenAPI and in the headers of every call. */
  readonly deprecated?: Deprecation
  run(ctx: ContextOf<C>, input: InferOutput<I>): Promise<InferOutput<O>>
}

/** An operation with any input, output and class. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds operations of any input and context
export type AnyOperation = OperationDeclaration<string, any, any, any>
