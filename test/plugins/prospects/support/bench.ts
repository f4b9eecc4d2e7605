import type { NewRow } from '../../../../core/contracts/entity'
import type { Task } from '../../../../core/contracts/queue'
import { Job } from '../../../../core/jobs/Job'
import { createAskService } from '../../../../core/outbound/ask-service'
import { createSpend } from '../../../../core/outbound/limits/allowance'
import { corePlugins } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../../plugins'
import { auditProspect } from '../../../../plugins/prospects/audit/auditProspect'
import { newProspects } from '../../../../plugins/prospects/audit/newProspects'
import { ProspectAudit } from '../../../../plugins/prospects/records/ProspectAudit'
import { type Workbench, workbench } from '../../../support/workbench'
import { placesKey, startPlaces } from './places'
import { startWebsites } from './website'

/** Prospects to audit, with websites and a Places API on real sockets, under a clock of the test's. */
export async function prospectBench(settings: Record<string, string> = {}) {
  const websites = startWebsites()
  const places = startPlaces()
  const clock = { now: () => bench.now }
  const bench: Workbench = await workbench(
    [...corePlugins, ...builtin],
    (documents) => ({
      ask: createAskService({ now: clock.now }),
      spend: createSpend({ documents, clock }),
      safeFetch: websites.safeFetch,
      dns: websites.dns,
    }),
    { settings: { PLACES_URL: places.url, PLACES_API_KEY: placesKey, ...settings } },
  )
  const { owner } = bench
  const { agency_id = '', workspace_id = '' } = await bench.command('agency create', { name: 'Acme' })
  const taskOf = (attempt: number, more: Partial<Task> = {}): Task => ({
    id: 'job_1',
    workspace_id,
    attempt,
    signal: new AbortController().signal,
    saved: {},
    hold: async () => {},
    progress: async () => {},
    save: async () => {},
    ...more,
  })
  return {
    bench,
    owner,
    websites,
    places,
    agency_id,
    workspace_id,
    prospect: (changes: Partial<NewRow<typeof BusinessLocation>> = {}, workspace = workspace_id) =>
      owner.rows(BusinessLocation).insert({
        workspace_id: workspace,
        business_name: 'Pitch & Co',
        website: 'https://service.example/',
        is_active: false,
        is_prospect: true,
        auto_response_enabled: false,
        ...changes,
      }),
    /** Puts audits in where they are missing, as the job does. */
    look: () => newProspects.run(owner, AbortSignal.timeout(60_000)),
    audits: () => owner.rows(ProspectAudit).list(),
    async audit(location_id: string) {
      const found = (await owner.rows(ProspectAudit).list()).find((row) => row.location_id === location_id)
      if (!found) throw new Error('there is no audit')
      return found
    },
    jobs: () => owner.rows(Job).list(),
    /** Runs the audit as the queue would, on that try. */
    run: (audit_id: string, attempt = 3, more: Partial<Task> = {}) =>
      auditProspect.run(owner, { audit_id }, taskOf(attempt, more)),
    bury: async (audit_id: string, message: string) =>
      auditProspect.onDeadLetter?.(owner, { audit_id }, { kind: 'transient', message }, taskOf(3)),
    later(ms: number) {
      bench.now = new Date(bench.now.getTime() + ms)
    },
    async stop() {
      await bench.stop()
      await websites.stop()
      await places.stop()
    },
  }
}
export type ProspectBench = Awaited<ReturnType<typeof prospectBench>>
