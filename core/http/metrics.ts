import {
  counts,
  createHistogram,
  gauge,
  type Metric,
  type MetricSample,
  processMetrics,
} from '../contracts/metrics'
import { splitAddress } from '../kit/page-addresses'
import { missingWords } from '../kit/word-catalogs'
import type { Registry } from '../registry/registry'

/** How many streams are open, and how many are allowed. */
export interface StreamLoad {
  readonly open: number
  readonly max: number
  /** Streams that were ended to let another agency open one. */
  readonly ended: number
  readonly refused: number
}

/** Counts of the gateway since its start. */
export interface GatewayMetrics {
  answered(path: string, status: number, ms: number): void
  read(): Metric[]
}

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

interface Answered {
  readonly route: string
  readonly kind: string
  readonly status: number
  count: number
  seconds: number
}

/**
 * Counts answers by kind of address, declared route and status, never by path, because callers choose it. Without names of routes each
 * route is its kind.
 */
export function createGatewayMetrics(routeName: (path: string) => string = kindOf): GatewayMetrics {
  const answers = new Map<string, Answered>()
  const seconds = createHistogram(bounds)
  return {
    answered(path, status, ms) {
      const route = routeName(path)
      const key = `${route} ${status}`
      const known = answers.get(key) ?? { route, kind: kindOf(path), status, count: 0, seconds: 0 }
      answers.set(key, known)
      known.count++
      known.seconds += ms / 1_000
      seconds.observe(ms / 1_000)
    },
    read: () => [
      {
        name: 'renown_gateway_answers_total',
        help: 'Answers.',
        type: 'counter',
        samples: kindSamples([...answers.values()]),
      },
      {
        name: 'renown_gateway_route_answers_total',
        help: 'Answers by route.',
        type: 'counter',
        samples: [...answers.values()].map(({ route, status, count }) => ({
          labels: { route, status },
          value: count,
        })),
      },
      {
        name: 'renown_gateway_route_seconds_total',
        help: 'Time of all answers by route.',
        type: 'counter',
        samples: [...answers.values()].map(({ route, status, seconds }) => ({
          labels: { route, status },
          value: Math.round(seconds * 1e6) / 1e6,
        })),
      },
      {
        name: 'renown_gateway_seconds',
        help: 'Time to answer.',
        type: 'histogram',
        samples: seconds.samples(),
      },
      wordMetrics(),
      ...processMetrics(),
    ],
  }
}

function kindSamples(answers: readonly Answered[]): MetricSample[] {
  const sums = new Map<string, { readonly kind: string; readonly status: number; count: number }>()
  for (const { kind, status, count } of answers) {
    const key = `${kind} ${status}`
    const sum = sums.get(key) ?? { kind, status, count: 0 }
    sums.set(key, sum)
    sum.count += count
  }
  return [...sums.values()].map(({ kind, status, count }) => ({ labels: { kind, status }, value: count }))
}

/** How many messages each language lacks in each room. Pages show them in English. */
const wordMetrics = (): Metric => ({
  name: 'renown_gateway_words_missing',
  help: 'Messages that a language lacks. Pages show them in English.',
  type: 'gauge',
  samples: missingWords().map(({ room, language, keys }) => ({
    labels: { language, room },
    value: keys.length,
  })),
})

/** Metrics of the live streams to pages. */
export const streamMetrics = ({ open, max, ended, refused }: StreamLoad): Metric[] => [
  gauge('renown_gateway_streams_open', 'Streams of live updates that are open.', open),
  gauge('renown_gateway_streams_max', 'Streams of live updates that may be open at once.', max),
  counts(
    'renown_gateway_streams_stopped_total',
    'Streams of live updates that were refused, or ended to make room for another agency.',
    'why',
    new Map([
      ['refused', refused],
      ['ended', ended],
    ]),
  ),
]

/** Returns the kind of an address, such as `pages`. */
function kindOf(path: string): string {
  if (path.startsWith('/api/entities/')) return 'entities'
  if (path.startsWith('/api/functions/')) return 'functions'
  if (path === '/api/mcp' || path === '/api/mcp/') return 'mcp'
  if (path === '/app' || path.startsWith('/app/')) return 'pages'
  if (path.startsWith('/oauth/') || path.startsWith('/.well-known/oauth-')) return 'oauth'
  if (path.startsWith('/in/')) return 'inbound'
  if (path.startsWith('/p/') || path.startsWith('/uploads/')) return 'public'
  return path.startsWith('/internal/') ? 'internal' : 'other'
}

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
