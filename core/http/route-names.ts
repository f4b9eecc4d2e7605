import { splitAddress } from '../kit/page-addresses'
import type { Registry } from '../registry/registry'
import { kindOf } from './metrics'

/** Returns the name of the route of a path, for metrics and traces. */
export type RouteName = (path: string) => string

/** What the routes of an installation are. */
export interface RouteNameDeps extends Pick<Registry, 'entities' | 'operations'> {
  /** The addresses of the pages, without a workspace. */
  readonly pages: ReadonlySet<string>
}

const records = '/api/entities/'
const calls = '/api/functions/'

/**
 * Creates the function that names routes. A name contains no id and nothing that a caller made up: what is not declared has the name of
 * its kind. So the number of names is bounded.
 */
export const createRouteNames =
  ({ entities, operations, pages }: RouteNameDeps): RouteName =>
  (path) => {
    if (path.startsWith(records)) {
      const [name = '', id] = path.slice(records.length).split('/', 2)
      if (!entities.has(name)) return kindOf(path)
      return id === undefined ? `${records}${name}` : `${records}${name}/{id}`
    }
    if (path.startsWith(calls)) return operations.has(path.slice(calls.length)) ? path : kindOf(path)
    const kind = kindOf(path)
    if (kind !== 'pages') return kind
    const page = splitAddress(path).path
    return pages.has(page) ? page : kind
  }
