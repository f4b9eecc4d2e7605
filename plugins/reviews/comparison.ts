/** A platform's statement that a review no longer exists. It proves a removal. */
export type GoneStatement = string

/** What a platform says about one review: that it is gone, that it is there, or nothing that can be concluded. */
export type Existence =
  | { readonly is: 'gone'; readonly statement: GoneStatement }
  | { readonly is: 'there' }
  | { readonly is: 'unknown'; readonly because: string }

/** How a platform is asked about reviews of one location. */
export interface ExistenceQuestions {
  /** Returns the platform's statement that one review does not exist. Null if it returns the review. */
  statementOf(sourceId: string): Promise<GoneStatement | null>
  /** Statements that can mean nothing else, so that they need no comparison. */
  readonly certain?: readonly GoneStatement[]
  /**
   * Returns the reviews that the location lists now, and their number if the platform states it. Null if the platform
   * does not know the location either.
   */
  listed(): Promise<{ readonly ids: readonly string[]; readonly total: number | null } | null>
}

/** Maximum reviews that are requested for comparison before the result stays unknown. */
const comparedMax = 3

/**
 * Decides whether a review is gone. One answer "not found" proves nothing: the location must answer at the same time, and
 * return another review. A location without any review must state that it has none. An empty list is not enough. `shown`
 * contains the ids that the location has just listed.
 */
export async function compareExistence(
  sourceId: string,
  { statementOf, certain = [], listed }: ExistenceQuestions,
  shown?: Iterable<string>,
): Promise<Existence> {
  const statement = await statementOf(sourceId)
  if (statement === null) return { is: 'there' }
  if (certain.includes(statement)) return { is: 'gone', statement }
  const given = shown === undefined ? [] : [...shown]
  const list = given.length > 0 ? { ids: given, total: null } : await listed()
  if (list === null) return { is: 'unknown', because: 'the platform does not know the location either' }
  if (list.ids.includes(sourceId)) return { is: 'there' }
  const others = list.ids.slice(0, comparedMax)
  for (const other of others) {
    if ((await statementOf(other)) === null)
      return { is: 'gone', statement: `${statement}, while ${other} could be loaded` }
  }
  if (others.length > 0) return { is: 'unknown', because: 'other reviews could not be loaded either' }
  if (list.total === 0) return { is: 'gone', statement: `${statement}, and a count of 0` }
  return { is: 'unknown', because: 'no other review could be loaded for comparison' }
}

/** The code of a fault: a platform says that a review does not exist, and nothing confirms it. */
export const unconfirmedCode = 'unconfirmed'
