import { ownerContext } from '../../../../core/contexts/owner'
import { startWorker } from '../../../../core/jobs/worker'
import { closedOutbound } from '../../../../core/outbound/closed'
import { createSafeFetch } from '../../../../core/outbound/fetch/safe-fetch'
import { withCore } from '../../../../core/product/core-plugins'
import { createRegistry } from '../../../../core/registry/registry'
import type { ColumnsStore } from '../../../../core/stores/columns/port'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import { builtin } from '../../../../plugins'
import { createEnrichLocation } from '../../../../plugins/enrichment/work/enrichLocation'
import { quietLog as log } from '../../../support/quiet-log'

/** A process that works off the enrichments of a store until somebody kills it, and says when one has ended. Argument: store. */
const clock = { now: () => new Date() }
const documents = await openSqlite({ path: process.argv[2] ?? '', now: clock.now, log })
const registry = createRegistry(withCore(builtin))
await documents.ensure([...registry.entities.values()].filter(({ store }) => store === 'documents'))
const dns = { addresses: async () => ['127.0.0.1'] }
const outbound = { ...closedOutbound, safeFetch: createSafeFetch({ dns, log, allowLoopback: true }) }
const owner = ownerContext({
  registry,
  documents,
  columns: {} as ColumnsStore,
  clock,
  log,
  outbound,
  onChanged: () => {},
})
const say = (what: string) => void process.stdout.write(`${what}\n`)
const queue = createEnrichLocation({ pauseMs: 0 })
startWorker({
  queues: new Map([
    [
      'enrich-location',
      {
        ...queue,
        run: (...given) => queue.run(...given).then(() => say('ended')),
        onDeadLetter: async (...given) => queue.onDeadLetter?.(...given).then(() => say('given up')),
      } satisfies typeof queue,
    ],
  ]),
  documents,
  owner,
  clock,
  log,
  pollEveryMs: 20,
})
say('ready')
