/** @jsxImportSource renown/web */
import {
  ButtonLink,
  Empty,
  formatCount,
  Head,
  isOfSeveral,
  Listed,
  listAddress,
  type PageProps,
  Toast,
} from 'renown/web'
import { stageNames } from '../records/stage-names'
import { Board } from './Board'
import { boardPath } from './board-filters'
import { LeadCard } from './lead-card'
import { LeadDetail } from './lead-detail'
import { queryOf } from './lead-forms'
import type { BoardData } from './load-board'
import type { ShownCard } from './shown-card'

/** Shows the leads of the workspace: columns by stage, or one list with the selected lead. */
export default function BoardPage(props: PageProps<BoardData>) {
  const { data } = props
  const { list, totals } = data
  const isList = totals === null || list.beside?.id !== ''
  return (
    <>
      <Head title="Leads">{aboutOf(data)}</Head>
      <Done {...props} />
      <Listed
        of={list}
        page={props}
        line={(card) => <LeadCard of={card} isLine isStageShown={totals !== null} />}
        detail={(lead) => <LeadDetail {...props} of={lead} />}
        picture={isList ? undefined : <Board {...props} totals={totals} />}
        start={<Nothing />}
      />
    </>
  )
}

const Nothing = () => (
  <Empty
    text="No leads yet. Renown finds them in public posts that match your keywords."
    action={
      <ButtonLink href="/app/mentions" kind="primary">
        Go to mentions
      </ButtonLink>
    }
    sample={<LeadCard of={sample} />}
  />
)

function aboutOf({ totals, list: { total, filters } }: BoardData): string | null {
  const all = totals === null ? total : Object.values(totals).reduce((sum, one) => sum + one, 0)
  if (all === null) return null
  const isFiltered = filters.some(({ kind, value }) => kind !== 'views' && value !== '')
  return `${formatCount(all, 'lead')}${isFiltered ? ' with these filters' : ''}.`
}

/** Says what was done with one lead, with a button that undoes it. */
function Done({ data: { moved, list }, notice, outcome, csrf }: PageProps<BoardData>) {
  if (outcome !== null && isOfSeveral(outcome)) return null
  const back = listAddress(list, { lead: list.beside?.id ?? '' })
  const search = queryOf(back)
  if (moved) {
    const hidden = { lead: moved.lead, search, back, was: moved.stage, stage: moved.undo_to ?? '' }
    const undo = { action: `${boardPath}/move`, csrf, hidden, what: `moved to ${stageNames[moved.stage]}` }
    return (
      <Toast text={`Moved to ${stageNames[moved.stage]}.`} {...(moved.undo_to === null ? {} : { undo })} />
    )
  }
  if (notice === null) return null
  const lead = list.beside?.shown
  if (!lead || notice !== 'Lead archived.') return <Toast text={notice} />
  const undo = { action: `${boardPath}/unarchive`, csrf, hidden: { lead: lead.id, search, back } }
  return <Toast text={notice} undo={{ ...undo, what: 'lead archived' }} />
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
