import type { ListCell, ListColumn } from '../../../contracts/list'
import type { PageContext, PagePerson } from '../../../contracts/page'
import { addressIn, baseOf } from '../../../kit/page-addresses'
import { definePage } from '../../framework/define-page'
import { defineList } from '../../framework/lists/define-list-page'
import { frameWords } from '../../framework/words'
import { clientsPath } from './client-deps'
import { type ClientFilters, type ClientRow, clientsOf, mayManage, type ShownColumn } from './load-clients'

/** What the page shows besides its list. */
export interface ClientsOwn {
  /** The columns, with how each is counted. */
  readonly definitions: readonly (readonly [title: string, definition: string])[]
  /** Whether there are more workspaces than are read. */
  readonly isCut: boolean
  readonly mayManage: boolean
}

/** Whether the person has clients: owners, and members of several workspaces. */
const hasClients = ({ role, workspace_ids }: PagePerson): boolean =>
  role === 'owner' || (workspace_ids?.length ?? 0) > 1

/** The clients of an agency: one row per workspace, the worst first. */
export const clientsPage = definePage<ClientsOwn>({
  path: clientsPath,
  title: 'Clients',
  isFor: hasClients,
  nav: { label: frameWords('navClients'), order: 5, icon: 'building' },
  module: new URL('./ClientsPage.tsx', import.meta.url),
  list: defineList({
    rows: 'clients',
    order: 'Worst first',
    perPage: 50,
    turns: ['Previous', 'Next'],
    filters: {
      show: {
        kind: 'views',
        label: 'Which clients',
        options: [
          ['', 'Active'],
          ['archived', 'Archived'],
        ],
      },
      q: { kind: 'find', label: 'Name' },
    },
    source: (ctx, asked) => ({ all: async () => (await clientsOf(ctx, asked)).rows }),
    more: async (ctx, asked) => ({
      columns: (await clientsOf(ctx, asked)).columns,
      mayManage: mayManage(ctx),
    }),
    columns: (_, more) => [
      { name: 'workspace_id', value: ({ id }: ClientRow) => id },
      nameColumn,
      ...more.columns.map(figureColumn),
      activityColumn,
      ...(more.mayManage ? [manageColumn] : []),
    ],
    // An archived client has no pages.
    detail: ({ id, isActive }) => (isActive ? baseOf(id) : null),
    empty: ({ q, show }) => {
      if (q === '') return { text: show === '' ? 'You have no clients yet.' : 'No client is archived.' }
      const href = show === '' ? clientsPath : `${clientsPath}?${new URLSearchParams({ show })}`
      return { text: 'No client has this name.', link: { href, words: 'Show all clients' } }
    },
    notes: {
      of: ({ isCut }) => (isCut ? 'cut' : null),
      say: ({ size }) => (size > 0 ? ['There are more clients than are in this file. Search by name.'] : []),
    },
  }),
  load: async (ctx, _, { asked }) => loadOwn(ctx, { q: asked.q ?? '', show: asked.show ?? '' }),
  notices: {
    renamed: 'The client was renamed.',
    archived: 'The client is archived. Renown stops working for it.',
    restored: 'The client is restored. Renown works for it again.',
  },
})

async function loadOwn(ctx: PageContext, asked: ClientFilters): Promise<ClientsOwn> {
  const { columns, rows } = await clientsOf(ctx, asked)
  return {
    definitions: columns.map(({ title, definition }) => [title, definition]),
    isCut: rows.some(({ isCut }) => isCut),
    mayManage: mayManage(ctx),
  }
}

const nameColumn: ListColumn<ClientRow> = {
  label: 'Client',
  name: 'name',
  value: ({ name }) => name,
  show: ({ name, isHome }) => [{ name }, ...(isHome ? [{ badge: 'home' }] : [])],
  sort: { kind: 'words', first: 'ascending' },
}

/** The worst end of a figure comes first. */
function figureColumn({ name, title, worst, href, isUnread }: ShownColumn): ListColumn<ClientRow> {
  const figureOf = ({ cells }: ClientRow) => cells[name]?.value ?? null
  return {
    label: title,
    name,
    value: (row) => (isUnread ? 'unavailable' : figureOf(row)),
    show: (row) =>
      isUnread
        ? { state: 'Unavailable', tone: 'bad' }
        : figureCell(row.cells[name], row.isActive ? addressIn(baseOf(row.id), href) : null),
    sort: { kind: 'number', first: worst === 'high' ? 'descending' : 'ascending', by: figureOf },
  }
}

function figureCell(cell: ClientRow['cells'][string] | undefined, href: string | null): ListCell {
  if (!cell) return null
  const { text, change } = cell
  return [
    href === null ? text : { link: href, words: text },
    ...(change ? [{ change: change.text, tone: change.tone }] : []),
  ]
}

const activityColumn: ListColumn<ClientRow> = {
  label: 'Last activity',
  name: 'last_activity',
  type: 'instant',
  value: ({ activeAt }) => activeAt,
  show: ({ activeAt }) => (activeAt === null ? { quiet: 'None known' } : { at: activeAt }),
  sort: { kind: 'time', first: 'ascending' },
}

const manageColumn: ListColumn<ClientRow> = {
  label: 'Manage',
  show: ({ id, name }) => ({
    link: `${clientsPath}/one?${new URLSearchParams({ of: id })}`,
    words: 'Open',
    about: name,
  }),
}
