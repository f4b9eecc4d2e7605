import { ownerContext } from '../../../../core/contexts/owner'
import { runCommand } from '../../../../core/contexts/run-command'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import { readSettings } from '../../../../core/contracts/settings'
import { gatewayPlugin } from '../../../../core/product/gateway-plugin'
import { Agency, BusinessLocation, tenancy, Workspace } from '../../../../core/product/tenancy-plugin'
import { asCore } from '../../../../core/registry/own-context'
import { createRegistry } from '../../../../core/registry/registry'
import type { ColumnsStore } from '../../../../core/stores/columns/port'
import type { Documents } from '../../../../core/stores/documents/port'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import { Notification } from '../../../../core/tenancy/news/Notification'
import billing from '../../../../plugins/billing'
import { dueTrials } from '../../../../plugins/billing/dueTrials'
import type { OpenDocuments } from '../../../support/mongo'
import { platformIdsPlugin } from '../../../support/platforms'
import { quietLog } from '../../../support/quiet-log'

export const dayMs = 24 * 60 * 60_000

type Answer = Record<string, unknown>

/** An agency that pays for so many locations, worked on by two processes over one store, at a time of the test's own. */
export async function startAgency(
  open: OpenDocuments,
  { paid, settings = {} }: { readonly paid?: number; readonly settings?: Record<string, string> } = {},
) {
  let at = Date.parse('2026-03-15T12:00:00.000Z')
  const clock = { now: () => new Date(at) }
  const documents: Documents =
    (await open()) ?? (await openSqlite({ path: ':memory:', now: clock.now, log: quietLog }))
  const registry = createRegistry([asCore(gatewayPlugin), asCore(tenancy), billing, platformIdsPlugin])
  await documents.ensure([...registry.entities.values()])
  const process = (over: Documents = documents) =>
    ownerContext({
      registry,
      documents: over,
      columns: {} as ColumnsStore,
      clock,
      log: quietLog,
      settings: readSettings(settings, Object.fromEntries(registry.settings)),
      onChanged: () => {},
    })
  const first = process()
  const second = process()
  const run = (name: string, input: object, on: OwnerContext = first): Promise<Answer> =>
    runCommand({ commands: registry.commands, owner: on }, name, input)
  const { agency_id, workspace_id } = (await run('agency create', { name: 'Acme' })) as Record<string, string>
  if (agency_id === undefined || workspace_id === undefined) throw new Error('there is no agency')
  if (paid !== undefined) await run('agency capacity set', { agency_id, paid })
  return {
    agency_id,
    workspace_id,
    documents,
    process,
    first,
    second,
    run,
    commands: registry.commands,
    /** Another moment, before or after this one. */
    jump: (ms: number) => {
      at += ms
    },
    now: clock.now,
    /** Adds a location of its own identity, and answers its id. */
    add: async (business_name: string, more: object = {}): Promise<string> => {
      const google_place_id = `place_${business_name.replaceAll(/\W/g, '_')}`
      const made = await run('location create', { business_name, workspace_id, google_place_id, ...more })
      return String(made.location_id)
    },
    row: async (id: string) => {
      const row = await first.rows(BusinessLocation).get(id)
      if (!row) throw new Error(`there is no ${id}`)
      return row
    },
    due: (on: OwnerContext = first) => dueTrials.run(on, new AbortController().signal),
    news: async () =>
      (await first.rows(Notification).list({ limit: 1_000 })).map(({ type, location_id, title, body }) => ({
        type,
        location_id,
        title,
        body,
      })),
    counts: async (id = workspace_id) => {
      const workspace = await first.rows(Workspace).get(id)
      return [workspace?.locations_count, workspace?.active_locations_count]
    },
    agency: () => first.rows(Agency).get(agency_id),
    stop: () => documents.close(),
  }
}

export type TestAgency = Awaited<ReturnType<typeof startAgency>>
