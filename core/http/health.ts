import { gauge, type Metric } from '../contracts/metrics'
import type { FailingService } from '../outbound/reach'
import type { ColumnsStore } from '../stores/columns/port'
import { type Documents, UnavailableError } from '../stores/documents/port'
import type { StreamLoad } from './metrics'

export interface HealthDeps {
  readonly documents: Pick<Documents, 'ping' | 'load'>
  readonly columns: Pick<ColumnsStore, 'ping' | 'load'>
  readonly now: () => Date
  /** Returns how many live streams are open. */
  readonly streams: () => StreamLoad
  /** Returns the services that do not answer. */
  readonly failing: () => readonly FailingService[]
}

/** How long health answers are cached, including bad ones, because monitors ask often. */
const healthMs = 1_000
/** A store that accepts connections and never answers counts as away after this time. */
const answerMs = 2_000

/**
 * Three levels of health. Alive: this process answers, which needs no store. Ready: documents answer, so that everything but traffic
 * works. Degraded: ready, but ClickHouse or a service is away.
 */
export function createHealth({ documents, columns, now, streams, failing }: HealthDeps) {
  const at = () => now().getTime()
  const seconds = new Map<string, number>()
  const timed = async (store: string, look: () => Promise<void>) => {
    const began = performance.now()
    try {
      await look()
    } finally {
      seconds.set(store, (performance.now() - began) / 1_000)
    }
  }
  const documentsAnswer = remembered(
    () => timed('documents', () => answers('The database', documents.ping())),
    at,
  )
  const columnsAnswer = remembered(() => timed('columns', () => answers('ClickHouse', columns.ping())), at)
  let columnsAway: string | null = null
  const lookAtColumns = async () => {
    const isThere = await isFine(columnsAnswer())
    columnsAway = isThere ? null : (columnsAway ?? now().toISOString())
    return columnsAway
  }
  return {
    alive: () => answer({ status: 'ok' }),
    /** Stays 200 if all streams are in use, because pages still work and a load balancer must not remove the process. */
    async ready() {
      await documentsAnswer()
      const { open, max } = streams()
      return answer({ status: open >= max ? 'full' : 'ok', streams: { open, max } })
    },
    /** Stays 200 while the product is ready, and says what is away. */
    async details() {
      await documentsAnswer()
      const away = await lookAtColumns()
      const degraded = [
        ...(away === null ? [] : [{ what: 'columns', since: away, means: columnsMeaning }]),
        ...failing().map(({ service, since }) => ({ what: service, since, means: serviceMeaning })),
      ]
      return answer(degraded.length === 0 ? { status: 'ok' } : { status: 'degraded', degraded })
    },
    /** What health is, as numbers. Answers while a store is away. */
    async metrics(): Promise<readonly Metric[]> {
      const [areDocumentsThere, away] = await Promise.all([isFine(documentsAnswer()), lookAtColumns()])
      return [
        gauge('renown_documents_up', 'Whether the database of documents answers.', areDocumentsThere ? 1 : 0),
        gauge('renown_columns_up', 'Whether ClickHouse, or chDB, answers.', away === null ? 1 : 0),
        {
          name: 'renown_store_seconds',
          help: 'Time until a store answered a ping, or until it was given up.',
          type: 'gauge',
          samples: [...seconds].map(([store, value]) => ({ labels: { store }, value })),
        },
        ...loadMetrics(documents, columns),
        gauge('renown_services_failing', 'Services of the settings that do not answer.', failing().length),
      ]
    },
  }
}

/** What of the limits of this process is in use. */
function loadMetrics(documents: Pick<Documents, 'load'>, columns: Pick<ColumnsStore, 'load'>): Metric[] {
  const loads = [
    ...(documents.load?.() ?? []).map((load) => ({ store: 'documents', load })),
    ...(columns.load?.() ?? []).map((load) => ({ store: 'columns', load })),
  ]
  return [
    {
      name: 'renown_store_work',
      help: 'Operations that use a limited resource of a store in this process, or wait for it.',
      type: 'gauge',
      samples: loads.flatMap(({ store, load: { pool, running, waiting } }) => [
        { labels: { store, pool, state: 'running' }, value: running },
        { labels: { store, pool, state: 'waiting' }, value: waiting },
      ]),
    },
    {
      name: 'renown_store_slots',
      help: 'How many operations may use the resource at once in this process.',
      type: 'gauge',
      samples: loads.map(({ store, load: { pool, slots } }) => ({ labels: { store, pool }, value: slots })),
    },
  ]
}

const columnsMeaning = 'Figures of AI traffic are missing. Accepted hits wait and are counted later.'
const serviceMeaning = 'It gives no answer that can be read. What needs it is tried again.'

const answer = (body: object) => Response.json(body, { headers: { 'cache-control': 'no-store' } })

const isFine = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )

async function answers(what: string, ping: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new UnavailableError(`${what} does not answer`)), answerMs)
  try {
    await Promise.race([ping, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function remembered<T>(look: () => Promise<T>, now: () => number): () => Promise<T> {
  let known: { readonly at: number; readonly answer: Promise<T> } | null = null
  return () => {
    if (!known || Math.abs(now() - known.at) >= healthMs) known = { at: now(), answer: look() }
    return known.answer
  }
}
