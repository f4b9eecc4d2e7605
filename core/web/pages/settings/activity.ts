import { type AuditKind, auditKinds } from '../../../contracts/audit-event'
import type { PageContext } from '../../../contracts/page'
import { where } from '../../../contracts/where'
import { withShownDomains } from '../../../kit/shown-domain'
import { eachPage } from '../../../kit/tables/each-page'
import { AuditEntry } from '../../../tenancy/audit/AuditEntry'
import type { AuditRow } from '../../../tenancy/audit/audit'
import { actionWords } from '../../../tenancy/audit/audit-actions'
import { User } from '../../../tenancy/User'
import { definePage } from '../../framework/define-page'
import { defineList } from '../../framework/lists/define-list-page'
import { frameWords } from '../../framework/words'
import { hostOf } from './settings'

const kindWords = {
  key: 'Agent key',
  app: 'Connected apps',
  domain: 'Domains',
  person: 'People',
  workspace: 'Workspaces',
  location: 'Locations',
  site: 'Sites',
  connection: 'Connections',
} satisfies Record<AuditKind, string>

/** The audit log of the agency. */
export const activityPage = definePage({
  path: '/app/activity',
  title: 'Activity',
  about: ({ system }) =>
    `Changes to keys, connected apps, domains, people, workspaces, locations, sites and connections. Kept for ${system.settings.AUDIT_KEPT_DAYS} days. Nobody can change these entries.`,
  only: 'owner',
  nav: { label: frameWords('navActivity'), order: 83, group: 'settings' },
  list: defineList({
    rows: 'activity',
    filters: {
      kind: {
        kind: 'views',
        label: 'Kinds of activity',
        options: [['', 'Everything'], ...auditKinds.map((one) => [one, kindWords[one]] as const)],
      },
    },
    perPage: 50,
    turns: ['Newer', 'Older'],
    source: (ctx, { kind }) => {
      const list = entriesOf(ctx, kind)
      return { list, pages: () => allOf(list) }
    },
    more: namesOf,
    columns: (_, names) => [
      { name: 'at', type: 'instant', value: ({ created_date }) => created_date },
      {
        label: 'What',
        name: 'what',
        value: actionWords,
        show: (entry) =>
          entry.outcome === 'refused'
            ? [`${actionWords(entry)} `, { badge: 'refused', tone: 'warn' }]
            : actionWords(entry),
      },
      { name: 'outcome', value: ({ outcome }) => outcome },
      { label: 'When', show: ({ created_date }) => ({ at: created_date }) },
      {
        label: 'About',
        name: 'about',
        value: ({ subject }) => subject ?? null,
        show: ({ subject }) => (subject === undefined ? null : { name: withShownDomains(subject) }),
      },
      {
        label: 'Who',
        name: 'who',
        value: (entry) => whoDid(entry, names),
        show: (entry) => ({ name: whoDid(entry, names) }),
      },
      { label: 'Where', name: 'where', value: ({ host }) => hostOf(host) },
    ],
    empty: ({ kind }) => (kind === '' ? 'Nothing yet.' : 'No activity of this kind.'),
  }),
})

type Part = { readonly skip: number; readonly limit: number }

/** Reads the entries of the person's agency, newest first. */
const entriesOf =
  ({ system, person }: PageContext, kind: string) =>
  (part: Part): Promise<AuditRow[]> =>
    system.rows(AuditEntry).list({
      where: where.and(
        where.eq('workspace_id', person.agency_id),
        ...(kind === '' ? [] : [where.eq('kind', kind)]),
      ),
      sort: [{ field: 'created_date', direction: 'desc' }],
      ...part,
    })

/** Entries that are read at once for a file. */
const readSize = 500

/** Yields all entries, newest first. An entry that was added since moves the others to a later part. */
async function* allOf(list: (part: Part) => Promise<AuditRow[]>): AsyncGenerator<AuditRow[]> {
  const seen = new Set<string>()
  const parts = eachPage(async (after) => {
    const skip = Number(after)
    const found = await list({ skip, limit: readSize + 1 })
    return { rows: found.slice(0, readSize), next: found.length > readSize ? String(skip + readSize) : null }
  })
  for await (const { rows } of parts) {
    const fresh = rows.filter(({ id }) => !seen.has(id))
    for (const { id } of fresh) seen.add(id)
    yield fresh
  }
}

/** Returns the names of an agency's people, by id. */
async function namesOf({ system, person }: PageContext): Promise<ReadonlyMap<string, string>> {
  const people = await system
    .rows(User)
    .list({ where: where.eq('agency_id', person.agency_id), limit: 10_000 })
  return new Map(people.map(({ id, name, email }) => [id, name ?? email ?? 'somebody']))
}

function whoDid({ user_id, host }: AuditRow, names: ReadonlyMap<string, string>): string {
  if (user_id !== undefined) return names.get(user_id) ?? 'a former member'
  return host === 'command line' ? 'the operator' : 'Renown'
}
