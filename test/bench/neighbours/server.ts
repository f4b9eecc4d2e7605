import { definePlugin } from 'renown'
import * as v from 'valibot'
import { startWorker } from '../../../core/jobs/worker'
import { withCore } from '../../../core/product/core-plugins'
import { openColumns } from '../../../core/stores/columns/client'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { builtin } from '../../../plugins'
import { Lead } from '../../../plugins/leads/records/Lead'
import { AiTrafficSite } from '../../../plugins/traffic/records/AiTrafficSite'
import { dailyTable } from '../../../plugins/traffic/records/dailyTable'
import { startGate, type Tenant } from '../../support/harness'
import { quietLog as log } from '../../support/quiet-log'
import { signedIn } from '../../support/signed-in'
import { dailyColumns, dailyRow } from '../reads/daily-row'
import { createLeads } from '../reads/leads'
import type { ServerFacts, TenantFacts } from './facts'

/**
 * A gateway with two agencies that have the same data, in a process of its own: `bun server.ts <folder> <leads>`. It
 * prints its facts as a line of JSON. `POST /bench/job?tenant=…&ms=…` beside it puts in a job that takes so long, and
 * answers when it has run.
 */
const [folder = '', leads = '0'] = process.argv.slice(2)
const now = () => new Date()
const daysCount = 60
const sitesCount = 3
const waiting = new Map<string, () => void>()

const slow = definePlugin({
  name: 'slow',
  summary: 'Websites that take their time',
  renown: '^1.0.0',
  queues: {
    'visit-website': {
      summary: 'Waits as long as a slow website does',
      payload: v.strictObject({ ms: v.number(), name: v.string() }),
      atOnce: 2,
      run: async (_ctx, { ms, name }: { ms: number; name: string }) => {
        await Bun.sleep(ms)
        waiting.get(name)?.()
      },
    },
  },
})

const documents = await openSqlite({ path: `${folder}/documents.sqlite`, now, log })
const columns = await openColumns({ path: `${folder}/columns` }, { log })
const gate = await startGate({ plugins: withCore([...builtin, slow]), documents, columns })
const worker = startWorker({
  queues: gate.registry.queues,
  documents,
  owner: gate.owner,
  clock: gate.clock,
  log,
})
const lead = createLeads()
let number = 0

async function fill(tenant: Tenant): Promise<void> {
  const { workspaceId: workspace_id } = tenant
  for (let done = 0; done < Number(leads); done += 500) {
    const rows = Array.from({ length: 500 }, () => lead(number++, workspace_id, `loc_${workspace_id}`))
    await documents.collection(Lead).insertMany(rows)
  }
  for (let site = 0; site < sitesCount; site++) {
    const made = await gate.put(
      AiTrafficSite,
      {
        location_id: `loc_${workspace_id}_${site}`,
        domain: `site${site}.example`,
        timezone: 'UTC',
        site_key: `${workspace_id}_${site}`,
        is_active: true,
        count_search_engines: true,
        respect_dnt: false,
        forwarder_token_last4: 'abcd',
        forwarder_token_hash: `${workspace_id}${site}`,
      },
      workspace_id,
    )
    const rows = Array.from({ length: daysCount }, (_, day) =>
      dailyRow({ number: site, day, site_id: made.id, workspace_id }),
    )
    const cells = rows.map((row) => dailyColumns.map((column) => row[column]))
    await columns.insert(dailyTable.name, dailyColumns, cells)
  }
}

async function factsOf(tenant: Tenant, people: number): Promise<TenantFacts> {
  await fill(tenant)
  const cookies: string[] = []
  for (let person = 0; person < people; person++) {
    const email = `person${person}@${tenant.agencyId.toLowerCase()}.example`
    cookies.push((await signedIn(gate, { agencyId: tenant.agencyId, email })).cookie)
  }
  return { key: tenant.key, workspace: tenant.workspaceId, cookies }
}

const facts = {
  loud: await factsOf(gate.tenant, 12),
  quiet: await factsOf(gate.stranger, 1),
}

async function job(url: URL): Promise<Response> {
  const name = crypto.randomUUID()
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.set(name, resolve)
  const payload = { ms: Number(url.searchParams.get('ms')), name }
  const workspace_id = url.searchParams.get('workspace') ?? ''
  await gate.owner.enqueue('visit-website', { workspace_id, payload })
  worker.wake()
  await promise
  waiting.delete(name)
  return new Response('done')
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 255,
  fetch: (request, self) => {
    const url = new URL(request.url)
    if (url.pathname === '/bench/job') return job(url)
    request.headers.set('host', 'localhost:3000')
    const asked = new Request(`http://localhost:3000${url.pathname}${url.search}`, request)
    return gate.gateway.fetch(asked, () => self.requestIP(request)?.address ?? null)
  },
})
const said: ServerFacts = { port: server.port ?? 0, ...facts }
console.log(JSON.stringify(said))
