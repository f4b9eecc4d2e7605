/** @jsxImportSource ../jsx */

import { where } from '../../contracts/where'
import { withShownDomains } from '../../kit/shown-domain'
import type { AuditRow } from '../../tenancy/audit/audit'
import { type AuditKind, actionWords, auditKinds } from '../../tenancy/audit/audit-actions'
import { User } from '../../tenancy/User'
import { definePage, type Page, type SignedIn } from '../define-page'
import { Badge, ButtonLink, Card, Head, Moment, Row, Table } from '../kit'
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
    nav: 'Activity',
    auth: 'session',
    handle: (visit) => show(deps, visit),
  }),
]

async function show({ owner, audit }: SettingsDeps, { person, query, page }: SignedIn): Promise<Response> {
  const kind = auditKinds.find((one) => one === query.get('kind'))
  const skip = skipOf(query.get('skip'))
  const [{ entries, has_more }, people] = await Promise.all([
    audit.list(person.agency_id, { kind, limit: perPage, skip }),
    owner.rows(User).list({ where: where.eq('agency_id', person.agency_id), limit: 10_000 }),
  ])
  const names = new Map(people.map(({ id, name, email }) => [id, name ?? email ?? 'somebody']))
  const days = owner.settings.AUDIT_KEPT_DAYS
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
