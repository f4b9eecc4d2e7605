import type { GenericSchema, InferOutput } from 'valibot'
import type { OwnerContext } from '../contracts/owner'
import type { ActionDeclaration, ActionResult, PageContext } from '../contracts/page'

const readings = new WeakSet<object>()

/** The context of a form that changes nothing. */
export interface ReadingContext extends PageContext {
  /** What asks others and stores nothing. */
  readonly outside: Pick<OwnerContext, 'readLogSample'> & Pick<OwnerContext['outbound'], 'safeFetch'>
}

/** A form that changes no record. It gets no system context, so it cannot write. */
interface ReadingDeclaration<I extends GenericSchema>
  extends Pick<ActionDeclaration<I>, 'input' | 'auth' | 'only' | 'refusesDemo' | 'done'> {
  run(ctx: ReadingContext, input: InferOutput<I>): Promise<ActionResult>
}

/** Declares a form of a page that only shows something, such as a preview. What changes a record is an act. */
export function defineReading<I extends GenericSchema>({
  run,
  ...declaration
}: ReadingDeclaration<I>): ActionDeclaration<I> {
  const action: ActionDeclaration<I> = {
    ...declaration,
    run: ({ owner, ...ctx }, input) => run({ ...ctx, outside: outsideOf(owner) }, input),
  }
  readings.add(action)
  return action
}

const outsideOf = ({ outbound, readLogSample }: OwnerContext): ReadingContext['outside'] => ({
  readLogSample,
  safeFetch: (url, options) => outbound.safeFetch(url, options),
})

/** Whether a form changes nothing. */
export const isReading = (action: object): boolean => readings.has(action)
