import type { GenericSchema, InferOutput } from 'valibot'
import type { ActionContext, ActionDeclaration, ActionResult, PageContext } from '../contracts/page'

const forwardings = new WeakSet<object>()

/** What somebody else declares, and what the page shows afterwards. */
interface Forwarded {
  run(ctx: ActionContext): Promise<void>
  readonly after: ActionResult
}

/** A form whose deed is declared elsewhere. It gets no system context, so it cannot write by itself. */
interface ForwardingDeclaration<I extends GenericSchema>
  extends Pick<ActionDeclaration<I>, 'input' | 'auth'> {
  find(ctx: PageContext, input: InferOutput<I>): Promise<Forwarded>
}

/** Declares a form that does what the item on the page declares, such as the button of an inbox entry. */
export function defineForwarding<I extends GenericSchema>({
  find,
  ...declaration
}: ForwardingDeclaration<I>): ActionDeclaration<I> {
  const action: ActionDeclaration<I> = {
    ...declaration,
    async run(ctx, input) {
      const { owner: _, ...reads } = ctx
      const { run, after } = await find(reads, input)
      await run(ctx)
      return after
    },
  }
  forwardings.add(action)
  return action
}

/** Whether the deed of a form is declared elsewhere. */
export const isForwarding = (action: object): boolean => forwardings.has(action)
