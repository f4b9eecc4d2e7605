/** @jsxImportSource ../../kit/jsx */

import type { FileTable } from '../../../contracts/table-file'
import { where } from '../../../contracts/where'
import { refuseOthers } from '../../../kit/refuse-ignored'
import { withShownDomains } from '../../../kit/shown-domain'
import { eachPage } from '../../../kit/tables/each-page'
import { fileColumns } from '../../../kit/tables/file-columns'
import type { AuditRow } from '../../../tenancy/audit/audit'
import { type AuditKind, actionWords, auditKinds } from '../../../tenancy/audit/audit-actions'
import { User } from '../../../tenancy/User'
import { definePage, type Page, type SignedIn } from '../../framework/define-page'
import { downloadEndings } from '../../framework/downloads/downloads'
import { frameWords } from '../../framework/words'
import { Downloads } from '../../kit/parts/downloads'
import { Badge, ButtonLink, Card, Head, Moment, Row, Table } from '../../kit/parts/kit'
import { hostOf, Name, type SettingsDeps } from './settings'

const path = '/app/activity'
const perPage = 50
const skipMax = 100_000

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

/** The audit log of the agency, page by page. */
export const activityPages = (deps: SettingsDeps): Page[] => [
  definePage({
    path,
    method: 'GET',
    nav: frameWords('navActivity'),
    auth: 'session',
    handle: (visit) => show(deps, visit),
  }),
  ...downloadEndings.map((ending) =>
    definePage({
      path: `/app/data/activity.${ending}`,
      method: 'GET',
      auth: 'session',
      forScripts: true,
      handle: async (visit) =>
        deps.downloads.answer(visit, {
          name: 'activity',
          title: 'Activity',
          ending,
          table: await tableOf(deps, visit),
        }),
    }),
  ),
]

/** Entries that are read at once. */
const readSize = 500

/** Returns all entries of the filter, newest first. */
async function tableOf(deps: SettingsDeps, { person, query }: SignedIn): Promise<FileTable> {
  refuseOthers(query, 'kind', auditKinds)
  const kind = auditKinds.find((one) => one === query.get('kind'))
  const names = await namesOf(deps, person.agency_id)
  const seen = new Set<string>()
  const pages = eachPage(async (after) => {
    const skip = Number(after)
    const { entries, has_more } = await deps.audit.list(person.agency_id, { kind, limit: readSize, skip })
    return { rows: entries, next: has_more ? String(skip + readSize) : null }
  })
  return {
    columns: fileColumns({ at: 'instant', what: null, outcome: null, about: null, who: null, where: null }),
    rows: (async function* () {
      for await (const { rows } of pages)
        for (const entry of rows) {
          // An entry that was added since moves the others to a later page.
          if (seen.has(entry.id)) continue
          seen.add(entry.id)
          yield [
            entry.created_date,
            actionWords(entry),
            entry.outcome,
            entry.subject ?? null,
            whoDid(entry, names),
            hostOf(entry.host),
          ]
        }
    })(),
  }
}

/** Returns the names of an agency's people, by id. */
async function namesOf({ owner }: Pick<SettingsDeps, 'owner'>, agencyId: string) {
  const people = await owner.rows(User).list({ where: where.eq('agency_id', agencyId), limit: 10_000 })
  return new Map(people.map(({ id, name, email }) => [id, name ?? email ?? 'somebody']))
}

async function show(deps: SettingsDeps, { person, query, page }: SignedIn): Promise<Response> {
  const kind = auditKinds.find((one) => one === query.get('kind'))
  const skip = skipOf(query.get('skip'))
  const [{ entries, has_more }, names] = await Promise.all([
    deps.audit.list(person.agency_id, { kind, limit: perPage, skip }),
    namesOf(deps, person.agency_id),
  ])
  const days = deps.owner.settings.AUDIT_KEPT_DAYS
  return page({
    title: 'Activity',
    width: 'wide',
    children: (
      <>
        <Head title="Activity">
          {`Changes to keys, connected apps, domains, people, workspaces, locations, sites and connections. Kept for ${days} days. Nobody can change these entries.`}
        </Head>
        <Filter kind={kind} />
        <Card>
          <Table
            label="Activity"
            columns={['What', 'When', 'About', 'Who', 'Where']}
            rows={entries.map((entry) => cellsOf(entry, names))}
            empty={kind || skip > 0 ? 'No activity of this kind.' : 'Nothing yet.'}
          />
        </Card>
        <Row align="apart">
          {skip > 0 ? (
            <ButtonLink href={addressOf(kind, Math.max(0, skip - perPage))}>Newer</ButtonLink>
          ) : (
            <span />
          )}
          {has_more && <ButtonLink href={addressOf(kind, skip + perPage)}>Older</ButtonLink>}
          <Downloads of="activity" query={kind ? `kind=${kind}` : ''} label="all activity of this list" />
        </Row>
      </>
    ),
  })
}

const Filter = ({ kind }: { readonly kind: AuditKind | undefined }) => (
  <nav aria-label="Kinds of activity">
    <Row>
      {([undefined, ...auditKinds] as const).map((one) => (
        <a
          key={one ?? 'all'}
          href={addressOf(one, 0)}
          class={`button ${one === kind ? 'primary' : 'plain'}`}
          aria-current={one === kind ? 'true' : undefined}
        >
          {one === undefined ? 'Everything' : kindWords[one]}
        </a>
      ))}
    </Row>
  </nav>
)

const cellsOf = (entry: AuditRow, names: ReadonlyMap<string, string>) => [
  <>
    {actionWords(entry)} {entry.outcome === 'refused' && <Badge tone="warn">refused</Badge>}
  </>,
  <Moment key="at" at={entry.created_date} />,
  entry.subject === undefined ? '–' : <Name key="subject">{withShownDomains(entry.subject)}</Name>,
  <Name key="who">{whoDid(entry, names)}</Name>,
  hostOf(entry.host),
]

function whoDid({ user_id, host }: AuditRow, names: ReadonlyMap<string, string>): string {
  if (user_id !== undefined) return names.get(user_id) ?? 'a former member'
  return host === 'command line' ? 'the operator' : 'Renown'
}

function addressOf(kind: AuditKind | undefined, skip: number): string {
  const query = new URLSearchParams({
    ...(kind ? { kind } : {}),
    ...(skip > 0 ? { skip: String(skip) } : {}),
  })
  return query.size > 0 ? `${path}?${query}` : path
}

/** Returns the offset of the page. Invalid text means 0. */
const skipOf = (text: string | null) => (/^\d{1,6}$/.test(text ?? '') ? Math.min(Number(text), skipMax) : 0)
