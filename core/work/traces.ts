import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'

/** What a span is: a request that somebody sent, a request to a service or a store, or work of this process. */
export type SpanSort = 'server' | 'client' | 'internal'

/** Values of a span. Never an address, a name of a client, a text of a stranger or a secret. */
export type SpanValues = Readonly<Record<string, string | number | boolean | undefined>>

/** Adds values to the running span. */
export type Note = (values: SpanValues) => void

const kinds: Readonly<Record<SpanSort, SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
}

const parents = new AsyncLocalStorage<Span>()
const unnoted: Note = () => {}
let tracer: Tracer | null = null

/** From now on spans are recorded, or with null no longer. */
export function traceWith(given: Tracer | null): void {
  tracer = given
}

/** Whether spans are recorded. */
export const isTraced = (): boolean => tracer !== null

export interface SpanOf {
  /** Such as `GET /api/entities/Review`. It has no ids, so that spans of one kind can be compared. */
  readonly name: string
  readonly sort: SpanSort
  readonly values?: SpanValues
}

/**
 * Runs work in a span of OpenTelemetry, inside the span that is running. If it fails, the span has the name of the error and never its
 * message. Without tracing it only runs the work.
 */
export async function traced<T>(of: SpanOf, run: (note: Note) => T | Promise<T>): Promise<T> {
  if (tracer === null) return run(unnoted)
  const parent = parents.getStore()
  const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT
  const span = tracer.startSpan(
    of.name,
    { kind: kinds[of.sort], attributes: (of.values ?? {}) as Attributes },
    context,
  )
  try {
    return await parents.run(span, () => run((values) => span.setAttributes(values as Attributes)))
  } catch (error) {
    span.setAttribute('error.type', error instanceof Error ? error.name : 'Error')
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

/**
 * Returns an object whose named methods run in spans of `name` and the method. Without tracing it is the object itself. Only
 * methods that return promises may be named.
 */
export function tracedMethods<T extends object>(
  given: T,
  methods: readonly (keyof T & string)[],
  of: (method: string) => Omit<SpanOf, 'sort'>,
): T {
  if (tracer === null) return given
  const wrapped = methods.flatMap((method) => {
    const run: unknown = given[method]
    if (typeof run !== 'function') return []
    const inSpan = (...of_: readonly unknown[]) =>
      traced({ ...of(method), sort: 'client' }, () => Reflect.apply(run, given, of_))
    return [[method, inSpan] as const]
  })
  return { ...given, ...Object.fromEntries(wrapped) }
}
