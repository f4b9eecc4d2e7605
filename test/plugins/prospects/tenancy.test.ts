import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startWorker, type Worker } from '../../../core/jobs/worker'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../plugins'
import { newProspects } from '../../../plugins/prospects/audit/newProspects'
import { ProspectAudit } from '../../../plugins/prospects/records/ProspectAudit'
import { type Gate, startGate } from '../../support/harness'
import { jobs } from '../../support/platforms'
import { quietLog } from '../../support/quiet-log'
import { waitFor } from '../../support/wait-for'
import { startWebsites, type Websites } from './support/website'

let gate: Gate
let worker: Worker
let websites: Websites
beforeAll(async () => {
  websites = startWebsites()
  gate = await startGate({ plugins: [jobs, ...builtin], safeFetch: websites.safeFetch })
  const { documents, owner, clock, registry } = gate
  worker = startWorker({
    queues: registry.queues,
    documents,
    owner,
    clock,
    log: quietLog,
    pollEveryMs: 20,
  })
})
afterAll(async () => {
  await worker.stop()
  await gate.stop()
  await websites.stop()
})

const pitch = {
  business_name: 'Pitch',
  website: 'https://service.example/',
  is_active: false,
  is_prospect: true,
  auto_response_enabled: false,
}
const read = async (path: string, key = gate.tenant.key) => {
  const answer = await gate.ask(`/api/entities/${path}`, { key })
  return {
    status: answer.status,
    body: (await answer.json()) as { id: string; status: string }[] & { code: string },
  }
}

test('an audit is read in the workspace of its location and in no other, before and after the signature', async () => {
  websites.page('https://service.example/', '<title>Shop</title>')
  const own = await gate.put(BusinessLocation, pitch)
  await gate.put(BusinessLocation, pitch, gate.stranger.workspaceId)
  await newProspects.run(gate.owner, AbortSignal.timeout(60_000))
  const isDone = async () =>
    (await gate.owner.rows(ProspectAudit).list()).every(({ status }) => status === 'completed')
  await waitFor(isDone, { what: 'both audits', timeoutMs: 30_000 })
  const [audit, ...others] = (await read('ProspectAudit')).body
  expect([audit?.status, others]).toEqual(['completed', []])
  expect((await read(`ProspectAudit/${audit?.id}`, gate.stranger.key)).body.code).toBe('not_in_workspace')
  expect((await read('BusinessLocation')).body).toHaveLength(0)
  await gate.owner.rows(BusinessLocation).update(own.id, { is_prospect: false, is_active: true })
  expect((await read(`ProspectAudit/${audit?.id}`)).status).toBe(200)
  expect((await read('ProspectAudit')).body.map(({ id }) => id)).toEqual([String(audit?.id)])
})
