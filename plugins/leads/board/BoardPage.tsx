/** @jsxImportSource renown/web */
import {
  ButtonLink,
  Downloads,
  Empty,
  Filters,
  formatCount,
  formatNumber,
  Head,
  ListDetail,
  Notice,
  type PageProps,
  Toast,
} from 'renown/web'
import { stageNames, stages } from '../records/stage-names'
import { Board } from './Board'
import {
  type BoardFilters,
  boardAddress,
  boardPath,
  boardSearch,
  isFiltered,
  periods,
  seenChoices,
  sources,
} from './board-filters'
import { LeadCard } from './lead-card'
import { LeadDetail } from './lead-detail'
import type { BoardData } from './load-board'
import type { ShownCard } from './shown-card'

/** Shows the leads of the workspace: columns by stage, or one list with the selected lead. */
export default function BoardPage(props: PageProps<BoardData>) {
  const { data, isBusy } = props
  return (
    <>
      <Head title="Leads">{aboutOf(data)}</Head>
      <Done {...props} />
      <Ignored of={data.ignored} />
      {data.has_any ? (
        <div class={isBusy ? 'stack busy' : 'stack'} aria-busy={isBusy ? 'true' : undefined}>
          <div class="above-list stack">
            <BoardFilterForm {...props} />
            <Stages data={data} />
          </div>
          {data.is_list ? <LeadsList {...props} /> : <Board {...props} />}
        </div>
      ) : (
        <Empty
          text="No leads yet. Renown finds them in public posts that match your keywords."
          action={
            <ButtonLink href="/app/mentions" kind="primary">
              Go to mentions
            </ButtonLink>
          }
          sample={<LeadCard of={sample} />}
        />
      )}
    </>
  )
}

function aboutOf({ is_list, columns, total, asked }: BoardData): string | null {
  const words = isFiltered(asked) ? ' with these filters' : ''
  if (is_list) return total === null ? null : `${formatCount(total, 'lead')}${words}.`
  const all = columns.reduce((sum, column) => sum + column.total, 0)
  return `${formatCount(all, 'lead')}${words}.`
}

/** Says what was done, with a button that undoes it. */
function Done({ data: { moved, asked, lead }, notice, csrf }: PageProps<BoardData>) {
  const search = boardSearch(asked, { lead: asked.lead, after: asked.after })
  const back = boardAddress(search)
  if (moved) {
    const hidden = { lead: moved.lead, search, back, was: moved.stage, stage: moved.undo_to ?? '' }
    const undo = { action: `${boardPath}/move`, csrf, hidden, what: `moved to ${stageNames[moved.stage]}` }
    return (
      <Toast text={`Moved to ${stageNames[moved.stage]}.`} {...(moved.undo_to === null ? {} : { undo })} />
    )
  }
  if (notice === null) return null
  if (lead === null || notice !== 'Lead archived.') return <Toast text={notice} />
  const undo = { action: `${boardPath}/unarchive`, csrf, hidden: { lead: lead.id, search, back } }
  return <Toast text={notice} undo={{ ...undo, what: 'lead archived' }} />
}

function BoardFilterForm({ data: { asked, locations, me } }: PageProps<BoardData>) {
  const people = [
    ['me', 'Me'],
    ['none', 'Nobody'],
    ...(['', 'me', 'none', me].includes(asked.assigned) ? [] : [[asked.assigned, asked.assigned] as const]),
  ] as const
  return (
    <Filters
      action={boardPath}
      label="Filter leads"
      keep={asked.stage === '' ? {} : { stage: asked.stage }}
      filters={[
        ...(locations.length > 1
          ? [{ name: 'location', label: 'Location', value: asked.location, options: locations }]
          : []),
        { name: 'source', label: 'Source', value: asked.source, options: sources },
        { name: 'seen', label: 'Seen', value: asked.seen, options: seenChoices },
        { name: 'assigned', label: 'Assigned to', value: asked.assigned, options: people },
      ]}
      more={[
        { name: 'days', label: 'Found', value: asked.days, options: periods, none: 'Any time' },
        { name: 'due', label: 'Next step', value: asked.due, options: [['1', 'Due']] },
        {
          name: 'archived',
          label: 'Archive',
          value: asked.archived,
          options: [['1', 'Archived leads']],
          none: 'Not archived',
        },
      ]}
    />
  )
}

/** Links to the board and to the list of each stage. On phones this is the way between stages. */
function Stages({ data: { asked, columns } }: Pick<PageProps<BoardData>, 'data'>) {
  const totals = new Map(columns.map(({ stage, total }) => [stage, total]))
  const current = (stage: string) => (stage === asked.stage && asked.lead === '' ? 'page' : undefined)
  return (
    <nav class="stage-links" aria-label="Stages">
      <a href={boardAddress(boardSearch(asked, { stage: '' }))} aria-current={current('')}>
        Board
      </a>
      {stages.map((stage) => (
        <a key={stage} href={boardAddress(boardSearch(asked, { stage }))} aria-current={current(stage)}>
          {stageNames[stage]}
          {totals.has(stage) && <span class="much"> {formatNumber(totals.get(stage) ?? 0)}</span>}
        </a>
      ))}
    </nav>
  )
}

function LeadsList(props: PageProps<BoardData>) {
  const { asked, lines, lead } = props.data
  const to = (changes: Partial<BoardFilters>) => boardAddress(boardSearch(asked, changes))
  return (
    <>
      {lines.length === 0 && (
        <Empty
          text={asked.lead !== '' && !lead ? 'There is no such lead.' : 'No lead matches these filters.'}
          action={<a href={boardPath}>Show all leads</a>}
        />
      )}
      {lines.length === 0 && lead && <LeadDetail {...props} of={lead} />}
      <ListDetail
        label="Leads"
        rows={lines.map((card) => ({
          id: card.id,
          href: to({ lead: card.id, after: asked.after }),
          children: <LeadCard of={card} isLine isStageShown={asked.stage === ''} />,
        }))}
        selectedId={lead?.id ?? null}
        backHref={to({ lead: '', after: asked.after })}
        detail={lead ? <LeadDetail {...props} of={lead} /> : undefined}
        foot={<Pager data={props.data} to={to} />}
      />
    </>
  )
}

function Pager({
  data: { asked, next },
  to,
}: {
  readonly data: BoardData
  to(changes: Partial<BoardFilters>): string
}) {
  return (
    <div class="row">
      {asked.after !== '' && <a href={to({ after: '', lead: '' })}>First page</a>}
      {next !== null && <a href={to({ after: next, lead: '' })}>Next page</a>}
      <Downloads
        of="leads"
        query={boardSearch(asked, { after: '', lead: '' })}
        label="all leads of this list"
      />
    </div>
  )
}

function Ignored({ of: ignored }: { readonly of: BoardData['ignored'] }) {
  if (ignored.length === 0) return null
  return (
    <Notice tone="warn" title="Some filters were ignored">
      <ul>
        {ignored.map(({ name, value, accepted }) => (
          <li key={name}>
            <code>{name}</code> = <bdi>{value}</bdi>: {accepted}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

const sample: ShownCard = {
  id: 'sample',
  stage: 'new',
  who: 'Ann Lee',
  lang: 'en',
  missing: null,
  score: 80,
  quote: 'Can anybody recommend a bakery near the harbour?',
  reason: 'Asks for a recommendation.',
  channel: 'Forum',
  terms: '',
  may_reply: true,
  attribution: null,
  location: 'Harbour Bakehouse',
  posted_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  stale_days: null,
  next_step: null,
  due_at: null,
  is_due: false,
  assigned_to: null,
  is_seen: true,
  is_archived: false,
}
