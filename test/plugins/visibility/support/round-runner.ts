import { appendFileSync } from 'node:fs'
import { definePlugin, ServiceFault } from 'renown'
import { ownerContext } from '../../../../core/contexts/owner'
import type { AnyEntity } from '../../../../core/contracts/entity'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import { startWorker } from '../../../../core/jobs/worker'
import { dayIn } from '../../../../core/kit/periods'
import { closedOutbound } from '../../../../core/outbound/closed'
import { createCorrect, createSpend } from '../../../../core/outbound/limits/allowance'
import { corePlugins } from '../../../../core/product/core-plugins'
import { gatewayPlugin } from '../../../../core/product/gateway-plugin'
import { createRegistry } from '../../../../core/registry/registry'
import type { ColumnsStore } from '../../../../core/stores/columns/port'
import { openMongo } from '../../../../core/stores/documents/mongo'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import visibility from '../../../../plugins/visibility'
import { type VisibilityEngine, visibilityEngine } from '../../../../plugins/visibility/engines/engine'
import { VisibilityTracker } from '../../../../plugins/visibility/records/VisibilityTracker'
import { dueTrackers } from '../../../../plugins/visibility/runs/dueTrackers'
import { quietLog } from '../../../support/quiet-log'
import { passTime } from '../../../support/wait-for'

/**
 * A process that asks the due questions until it is killed. Arguments: store, address of the engine, file for the
 * summaries, and the instant at which its clock starts.
 */
const [, , store = '', engineUrl = '', summaries = '', from = ''] = process.argv
const began = performance.now()
const clock = { now: () => new Date(Date.parse(from) + Math.round(performance.now() - began)) }

const engineOf = (engine: string): VisibilityEngine => ({
  name: `${engine}-test`,
  engine,
  label: engine,
  provider: 'direct',
  access: 'api',
  place: 'country',
  needs: () => [],
  model: () => 'model-1',
  costLimit: () => ({ usd: 0.01 }),
  async ask(_, { prompt }) {
    const body = JSON.stringify({ engine, prompt, day: dayIn('UTC', clock.now()) })
    const response = await fetch(engineUrl, { method: 'POST', body }).catch(() => null)
    if (!response?.ok) throw new ServiceFault('transient', 'The engine did not answer')
    const text = await response.text()
    return {
      ended: 'complete',
      text,
      cited: [],
      consulted: [],
      queries: ['q'],
      searchCalls: 1,
      raw: { text },
      modelAsked: 'model-1',
      modelAnswered: 'model-1a',
      placePinned: 'country',
      cost: { usd: 0.01, basis: 'computed' },
    }
  },
})

const registry = createRegistry([
  ...new Set([gatewayPlugin, ...corePlugins]),
  visibility,
  definePlugin({
    name: 'engines',
    summary: 'Engines of the test',
    renown: '^1.0.0',
    needs: ['visibility'],
    provides: [visibilityEngine.with(engineOf('chatgpt')), visibilityEngine.with(engineOf('claude'))],
  }),
])
const documents = store.startsWith('mongodb:')
  ? await openMongo({ uri: store, now: clock.now, log: quietLog })
  : await openSqlite({ path: store, now: clock.now, log: quietLog })
await documents.ensure([...registry.entities.values()])
const real = ownerContext({
  registry,
  documents,
  clock,
  log: quietLog,
  columns: {} as ColumnsStore,
  outbound: {
    ...closedOutbound,
    spend: createSpend({ documents, clock }),
    correct: createCorrect({ documents, clock }),
  },
  onChanged: () => {},
})

/** Writes down each summary after the store has it. */
const rows = (entity: AnyEntity) => {
  const own = real.rows(entity)
  if (entity !== VisibilityTracker) return own
  const update: typeof own.update = async (id, changes) => {
    const updated = await own.update(id, changes)
    const { last_run_summary } = changes as { last_run_summary?: unknown }
    if (last_run_summary) appendFileSync(summaries, `${JSON.stringify(last_run_summary)}\n`)
    return updated
  }
  return { ...own, update }
}
const owner = { ...real, rows } as OwnerContext

startWorker({
  queues: registry.queues,
  documents,
  owner,
  clock,
  log: quietLog,
  times: { leaseMs: 1_000, beatMs: 200 },
  pollEveryMs: 20,
})
process.stdout.write('ready\n')
for (;;) {
  await dueTrackers.run(owner, new AbortController().signal)
  await passTime(50)
}
