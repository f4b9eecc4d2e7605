import type { GenericSchema, InferOutput } from 'valibot'
import type { AnyEntity } from '../contracts/entity'
import type {
  ActionContext,
  ActionDeclaration,
  ActionResult,
  MarkingContext,
  PageMarks,
} from '../contracts/page'
import { where } from '../contracts/where'

const markings = new WeakSet<object>()

/** A form that changes what people see in a list. It can write one record type in the workspace of the page, and nothing else. */
interface MarkingDeclaration<E extends AnyEntity, I extends GenericSchema>
  extends Pick<ActionDeclaration<I>, 'input' | 'auth'> {
  readonly marks: E
  run(ctx: MarkingContext<E>, input: InferOutput<I>): Promise<ActionResult>
}

/** Declares a form that hides, snoozes or shows an item of a list. It changes no record of a business, so it has no act. */
export function defineMarking<E extends AnyEntity, I extends GenericSchema>({
  marks,
  run,
  ...declaration
}: MarkingDeclaration<E, I>): ActionDeclaration<I> {
  const action: ActionDeclaration<I> = {
    ...declaration,
    run: ({ owner, ...ctx }, input) => run({ ...ctx, marks: marksIn(owner, marks, ctx.workspace.id) }, input),
  }
  markings.add(action)
  return action
}

function marksIn<E extends AnyEntity>(
  ctx: ActionContext['owner'],
  entity: E,
  workspace_id: string,
): PageMarks<E> {
  const rows = ctx.rows(entity)
  const own = where.eq('workspace_id', workspace_id)
  return {
    updateWhere: (which, changes) => rows.updateWhere(where.and(own, which), changes),
    insert: (row) => rows.insert({ ...row, workspace_id }),
    removeWhere: (which) => rows.removeWhere(where.and(own, which)),
  }
}

/** Whether a form only marks something in a list. */
export const isMarking = (action: object): boolean => markings.has(action)
