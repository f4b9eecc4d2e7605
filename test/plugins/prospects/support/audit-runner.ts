import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownerContext } from '../../../../core/contexts/owner'
import { startWorker } from '../../../../core/jobs/worker'
import { closedOutbound } from '../../../../core/outbound/closed'
import { createSafeFetch } from '../../../../core/outbound/fetch/safe-fetch'
import { withCore } from '../../../../core/product/core-plugins'
import { createRegistry } from '../../../../core/registry/registry'
import type { ColumnsStore } from '../../../../core/stores/columns/port'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import { builtin } from '../../../../plugins'
import { auditProspect } from '../../../../plugins/prospects/audit/auditProspect'
import { quietLog as log } from '../../../support/quiet-log'

/** A process that works off the audits of a store until somebody kills it, and says when one has ended. Argument: store. */
const clock = { now: () => new Date() }
const documents = await openSqlite({ path: process.argv[2] ?? '', now: clock.now, log })
const registry = createRegistry(withCore(builtin))
await documents.ensure([...registry.entities.values()].filter(({ store }) => store === 'documents'))
const dns = { addresses: async () => ['127.0.0.1'] }
const ca = readFileSync(join(import.meta.dir, '../../../fixtures/tls/cert.pem'), 'utf8')
const safeFetch = createSafeFetch({ dns, log, allowLoopback: true, ca })
const owner = ownerContext({
  registry,
  documents,
  columns: {} as ColumnsStore,
  clock,
  log,
  onChanged: () => {},
  outbound: { ...closedOutbound, safeFetch },
})
// Whoever started it is gone: nobody will kill it any more.
process.stdin.on('end', () => process.exit()).resume()
const say = (what: string) => void process.stdout.write(`${what}\n`)
startWorker({
  queues: new Map([
    [
      'audit-prospect',
      {
        ...auditProspect,
        run: (...given) => auditProspect.run(...given).then(() => say('ended')),
        onDeadLetter: async (...given) => auditProspect.onDeadLetter?.(...given).then(() => say('given up')),
      } satisfies typeof auditProspect,
    ],
  ]),
  documents,
  owner,
  clock,
  log,
  pollEveryMs: 20,
})
say('ready')
