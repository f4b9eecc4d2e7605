import type { GenericSchema, InferOutput } from 'valibot'
import type { ActionDeclaration, ActionResult, PageContext } from '../contracts/page'

const readings = new WeakSet<object>()

/** A form that changes nothing. It gets no system context, so it cannot write. */
interface ReadingDeclaration<I extends GenericSchema>
  extends Pick<ActionDeclaration<I>, 'input' | 'auth' | 'only' | 'refusesDemo'> {
  run(ctx: PageContext, input: InferOutput<I>): Promise<ActionResult>
}

/** Declares a form of a page that only shows something, such as a preview. What changes something is an act. */
export function defineReading<I extends GenericSchema>({
  run,
  ...declaration
}: ReadingDeclaration<I>): ActionDeclaration<I> {
  const action: ActionDeclaration<I> = {
    ...declaration,
    run: ({ owner: _, ...ctx }, input) => run(ctx, input),
  }
  readings.add(action)
  return action
}

/** Whether a form changes nothing. */
export const isReading = (action: object): boolean => readings.has(action)
