/** A value that a filter may compare with. Instants are RFC 3339 text, days are `YYYY-MM-DD`. */
export type Scalar = string | number | boolean | null

/**
 * The filter language inside the product. It is parsed from `q` and compiled by each store, never taken from a
 * caller's object.
 */
export type Where =
  | { readonly op: 'and' | 'or' | 'nor'; readonly of: readonly Where[] }
  | { readonly op: 'not'; readonly of: Where }
  | {
      readonly op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'
      readonly field: string
      readonly value: Scalar
    }
  | { readonly op: 'in' | 'nin' | 'all'; readonly field: string; readonly values: readonly Scalar[] }
  | { readonly op: 'exists'; readonly field: string; readonly value: boolean }
  | { readonly op: 'contains' | 'startsWith'; readonly field: string; readonly value: string }
  | { readonly op: 'size'; readonly field: string; readonly value: number }

/** One field of a sort order. */
export interface SortKey {
  readonly field: string
  readonly direction: 'asc' | 'desc'
  /** Rows without a value come last. Default: last in descending order, first in ascending order. */
  readonly nulls?: 'last'
}

/** Builds filters in plugin code. Filters of callers come from parsing `q` instead. */
export const where = {
  and: (...of: Where[]): Where => ({ op: 'and', of }),
  or: (...of: Where[]): Where => ({ op: 'or', of }),
  not: (of: Where): Where => ({ op: 'not', of }),
  eq: (field: string, value: Scalar): Where => ({ op: 'eq', field, value }),
  ne: (field: string, value: Scalar): Where => ({ op: 'ne', field, value }),
  gt: (field: string, value: Scalar): Where => ({ op: 'gt', field, value }),
  gte: (field: string, value: Scalar): Where => ({ op: 'gte', field, value }),
  lt: (field: string, value: Scalar): Where => ({ op: 'lt', field, value }),
  lte: (field: string, value: Scalar): Where => ({ op: 'lte', field, value }),
  /** Matches texts that begin with a text. Ignores case. */
  startsWith: (field: string, value: string): Where => ({ op: 'startsWith', field, value }),
  in: (field: string, values: readonly Scalar[]): Where => ({ op: 'in', field, values }),
} as const

/** Matches every row. */
export const everything: Where = { op: 'and', of: [] }
