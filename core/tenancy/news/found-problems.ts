import type { ReadContext } from '../../contracts/context'
import { type WorkspaceProblem, workspaceProblems } from '../../contracts/workspace-problems'
import { where } from '../../kit'
import { baseOf, textIn } from '../../kit/page-addresses'
import { BusinessLocation } from '../BusinessLocation'

/** Problems that are listed. */
export const problemsMax = 20
/** Problems that are read of each source. */
const perSourceMax = 200

/** A problem with the name of its location. */
type FoundProblem = WorkspaceProblem & { readonly location?: string }

/** What was found, and which sources could not be read. */
interface FoundProblems {
  readonly problems: readonly FoundProblem[]
  readonly checked: readonly string[]
  readonly not_known: readonly string[]
}

/** Asks every source for problems of the workspace and sorts them, worst first. A source that fails is not known. */
export async function findProblems(ctx: ReadContext): Promise<FoundProblems> {
  const sources = [...ctx.extensions(workspaceProblems)].sort((a, b) => a.order - b.order)
  const read = await Promise.allSettled(sources.map(async (source) => source.read(ctx, perSourceMax)))
  const named = (status: 'fulfilled' | 'rejected') =>
    sources.flatMap(({ name }, n) => (read[n]?.status === status ? [name] : []))
  const problems = read.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  return {
    problems: worstFirst(await withLocations(ctx, problems)).map((problem) => ({
      ...problem,
      todo: textIn(baseOf(ctx.workspace.id), problem.todo),
    })),
    checked: named('fulfilled'),
    not_known: named('rejected'),
  }
}

async function withLocations(
  ctx: ReadContext,
  problems: readonly WorkspaceProblem[],
): Promise<readonly FoundProblem[]> {
  const ids = [...new Set(problems.flatMap(({ location_id: id }) => (id === undefined ? [] : [id])))]
  const query = {
    where: where.in('id', ids),
    limit: ids.length,
    fields: ['business_name', 'is_active'],
  } as const
  const rows = ids.length === 0 ? [] : await ctx.rows(BusinessLocation).list(query)
  const names = new Map(rows.filter((row) => row.is_active).map((row) => [row.id, row.business_name]))
  return problems.flatMap((problem): FoundProblem[] => {
    if (problem.location_id === undefined) return [problem]
    const location = names.get(problem.location_id)
    return location === undefined ? [] : [{ ...problem, location }]
  })
}

const worstFirst = (problems: readonly FoundProblem[]) =>
  problems.toSorted((a, b) => {
    if (a.severity !== b.severity) return a.severity === 'critical' ? -1 : 1
    return (b.since ?? '').localeCompare(a.since ?? '')
  })
