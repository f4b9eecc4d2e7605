/** @jsxImportSource ../../kit/jsx */

import type { ClientCell } from '../../../contracts/clients'
import type { FileTable } from '../../../contracts/table-file'
import { addressIn, baseOf } from '../../../kit/page-addresses'
import { fileColumns } from '../../../kit/tables/file-columns'
import { downloadEndings } from '../../framework/downloads/downloads'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { frameWords } from '../../framework/words'
import { Downloads } from '../../kit/parts/downloads'
import { Empty } from '../../kit/parts/empty'
import { Evidence } from '../../kit/parts/evidence'
import { Filters } from '../../kit/parts/filters'
import { Badge, ButtonLink, Card, Head, Moment, Notice } from '../../kit/parts/kit'
import { StateWord } from '../../kit/parts/state-word'
import { Done } from '../settings/settings'
import type { ClientDeps } from './client-deps'
import { type ClientFilters, clientsAddress, clientsPath } from './client-filters'
import { invitationPages } from './invite'
import { type ClientRow, type ClientsData, loadClients, pageSize, type ShownColumn } from './load-clients'
import { managingPages } from './manage'

const told = {
  renamed: 'The client was renamed.',
  archived: 'The client is archived. Renown stops working for it.',
  restored: 'The client is restored. Renown works for it again.',
}

/** The clients of an agency: one row per workspace, worst first. */
export const clientPages = (deps: ClientDeps): Route[] => [
  defineRoute({
    path: clientsPath,
    method: 'GET',
    nav: frameWords('navClients'),
    navOrder: 5,
    icon: 'building',
    auth: 'session',
    isFor: hasClients,
    handle: async (visit) => show(visit, await loadClients(deps, visit)),
  }),
  ...downloadEndings.map((ending) =>
    defineRoute({
      path: `/app/data/clients.${ending}`,
      method: 'GET',
      auth: 'session',
      isFor: hasClients,
      forScripts: true,
      handle: async (visit) =>
        deps.downloads.answer(visit, {
          name: 'clients',
          title: 'Clients',
          ending,
          table: tableOf(await loadClients(deps, visit)),
        }),
    }),
  ),
  ...managingPages(deps),
  ...invitationPages(deps),
]

/** Returns the clients of the list as a table, also those on other pages. */
const tableOf = ({ columns, all, isMore }: ClientsData): FileTable => ({
  columns: [
    ...fileColumns({ workspace_id: null, name: null }),
    ...columns.map(({ name }) => ({ name })),
    ...fileColumns({ last_activity: 'instant' }),
  ],
  rows: all.map(({ id, name, cells, activeAt }) => [
    id,
    name,
    ...columns.map((column) => (column.isUnread ? 'unavailable' : (cells[column.name]?.value ?? null))),
    activeAt,
  ]),
  notes: () => (isMore ? ['There are more clients than are in this file. Search by name.'] : []),
})

/** Whether the person has clients: owners, and members of several workspaces. */
function hasClients({ role, workspace_ids }: SignedIn['person']): boolean {
  return role === 'owner' || (workspace_ids?.length ?? 0) > 1
}

function show(visit: SignedIn, data: ClientsData): Response {
  const { wanted, unknown, columns, mayManage, all } = data
  return visit.page({
    title: 'Clients',
    width: 'wide',
    children: (
      <>
        <Head
          title="Clients"
          tools={
            mayManage && (
              <ButtonLink href={`${clientsPath}/new`} kind="primary">
                Add client
              </ButtonLink>
            )
          }
        >
          One row for each workspace, the worst first.
        </Head>
        <Done visit={visit} told={told} />
        {unknown !== null && (
          <Notice tone="warn" title="Unknown column">
            <code>sort</code> = <bdi>{unknown}</bdi>: use worst, name, activity,{' '}
            {columns.map(({ name }) => name).join(', ')}.
          </Notice>
        )}
        <Views wanted={wanted} />
        <Filters
          action={clientsPath}
          label="Find clients"
          filters={[{ name: 'q', label: 'Name', value: wanted.q, isSearch: true }]}
          keep={keptOf(wanted)}
        />
        <Card>
          {all.length === 0 ? <None wanted={wanted} /> : <List of={data} />}
          <Foot of={data} />
        </Card>
        <Definitions of={columns} />
      </>
    ),
  })
}

function keptOf({ sort, isReversed, isArchived }: ClientFilters): Record<string, string> {
  return {
    ...(isArchived ? { show: 'archived' } : {}),
    ...(sort === 'worst' ? {} : { sort }),
    ...(isReversed ? { order: 'best' } : {}),
  }
}

const Views = ({ wanted }: { readonly wanted: ClientFilters }) => (
  <nav class="views" aria-label="Which clients">
    <ul>
      {[false, true].map((isArchived) => (
        <li key={String(isArchived)}>
          <a
            href={clientsAddress(wanted, { isArchived })}
            aria-current={wanted.isArchived === isArchived ? 'page' : undefined}
          >
            {isArchived ? 'Archived' : 'Active'}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

function None({ wanted }: { readonly wanted: ClientFilters }) {
  if (wanted.q !== '')
    return (
      <Empty
        text="No client has this name."
        action={<a href={clientsAddress(wanted, { q: '' })}>Show all clients</a>}
      />
    )
  return <Empty text={wanted.isArchived ? 'No client is archived.' : 'You have no clients yet.'} />
}

/** The table, with headings that sort. On a phone it scrolls sideways. */
function List({ of: { columns, rows, wanted, mayManage } }: { readonly of: ClientsData }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scroll clients" aria-label="Clients" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <Sorted by="name" wanted={wanted} isUp>
              Client
            </Sorted>
            {columns.map(({ name, title, worst }) => (
              <Sorted key={name} by={name} wanted={wanted} isUp={worst === 'low'} isNumber>
                {title}
              </Sorted>
            ))}
            <Sorted by="activity" wanted={wanted} isUp>
              Last activity
            </Sorted>
            {mayManage && (
              <th scope="col">
                <span class="unseen">Manage</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.id} of={row} columns={columns} wanted={wanted} mayManage={mayManage} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface SortedProps {
  readonly by: string
  readonly wanted: ClientFilters
  /** Whether the smallest value is the worst. */
  readonly isUp: boolean
  readonly isNumber?: boolean
  readonly children: string
}

/** A heading that sorts by its column: worst first, and best first on the second click. */
function Sorted({ by, wanted, isUp, isNumber, children }: SortedProps) {
  const isCurrent = wanted.sort === by
  const isAscending = isUp !== (isCurrent && wanted.isReversed)
  const address = clientsAddress(wanted, { sort: by, isReversed: isCurrent && !wanted.isReversed })
  return (
    <th
      scope="col"
      class={isNumber ? 'end' : undefined}
      aria-sort={isCurrent ? (isAscending ? 'ascending' : 'descending') : undefined}
    >
      <a href={address}>
        {children}
        {isCurrent && <span aria-hidden="true">{isAscending ? ' ↑' : ' ↓'}</span>}
      </a>
    </th>
  )
}

interface LineProps {
  readonly of: ClientRow
  readonly columns: readonly ShownColumn[]
  readonly wanted: ClientFilters
  readonly mayManage: boolean
}

function Line({ of: { id, name, isHome, cells, activeAt }, columns, wanted, mayManage }: LineProps) {
  const isOpen = !wanted.isArchived
  return (
    <tr>
      <th scope="row">
        {isOpen ? (
          <a href={baseOf(id)}>
            <bdi>{name}</bdi>
          </a>
        ) : (
          <bdi>{name}</bdi>
        )}{' '}
        {isHome && <Badge>home</Badge>}
      </th>
      {columns.map(({ name: column, href, isUnread }) => (
        <td key={column} class="end">
          {isUnread ? (
            <StateWord tone="bad">Unavailable</StateWord>
          ) : (
            <Cell of={cells[column]} href={isOpen ? addressIn(baseOf(id), href) : null} />
          )}
        </td>
      ))}
      <td>{activeAt === null ? <span class="hint">None known</span> : <Moment at={activeAt} />}</td>
      {mayManage && (
        <td>
          <a href={`${clientsPath}/one?of=${id}`}>
            Manage<span class="unseen"> {name}</span>
          </a>
        </td>
      )}
    </tr>
  )
}

function Cell({ of: cell, href }: { readonly of: ClientCell | undefined; readonly href: string | null }) {
  if (!cell) return <>–</>
  const { text, change } = cell
  const side = change?.tone === 'good' ? 'up' : change?.tone === 'bad' ? 'down' : ''
  return (
    <>
      {href === null ? text : <a href={href}>{text}</a>}
      {change && <span class={`change ${side}`}> {change.text}</span>}
    </>
  )
}

function Foot({ of: { all, wanted, pages, isMore } }: { readonly of: ClientsData }) {
  if (all.length === 0) return null
  const first = (wanted.page - 1) * pageSize + 1
  const last = Math.min(all.length, wanted.page * pageSize)
  const query = clientsAddress({ ...wanted, page: 1 }).slice(clientsPath.length)
  return (
    <>
      {isMore && <p class="hint">There are more clients than are shown. Search by name.</p>}
      <div class="row apart">
        <span class="hint">{`${first} to ${last} of ${all.length}${isMore ? '+' : ''}`}</span>
        {pages > 1 && (
          <nav class="row" aria-label="Pages of the list">
            {wanted.page > 1 && <a href={clientsAddress(wanted, { page: wanted.page - 1 })}>Previous</a>}
            {wanted.page < pages && <a href={clientsAddress(wanted, { page: wanted.page + 1 })}>Next</a>}
          </nav>
        )}
        <Downloads of="clients" query={query.replace(/^\?/, '')} label="the clients" />
      </div>
    </>
  )
}

const Definitions = ({ of }: { readonly of: readonly ShownColumn[] }) => (
  <Evidence
    figure="How the columns are counted"
    label="the columns"
    definition="Each workspace is counted in its own time zone. Unknown values come last."
    facts={[
      ...of.map(({ title, definition }): readonly [string, string] => [title, definition]),
      ['Last activity', 'The newest review of the last 28 days, or the last time that a website reported.'],
    ]}
  />
)
