import { defineAppPage, refuseIgnored } from 'renown'
import { boardPath } from './board-filters'
import { boardStyle } from './board-style'
import { leadActions, leadNotices } from './lead-actions'
import { type BoardData, countUnseen, loadBoard } from './load-board'

/** The page of leads: columns by stage, or one list with the selected lead. */
export const boardPage = defineAppPage<BoardData>({
  path: boardPath,
  title: 'Leads',
  nav: { label: 'Leads', order: 30, icon: 'user', count: countUnseen },
  module: new URL('./BoardPage.tsx', import.meta.url),
  load: loadBoard,
  actions: leadActions,
  notices: leadNotices,
  csv: (data) => {
    const { lines, columns } = refuseIgnored(data)
    return [
      [
        ...['id', 'stage', 'created_at', 'posted_at', 'source', 'location', 'who', 'intent_score', 'reason'],
        ...['next_step', 'due_at', 'assigned_to', 'seen', 'text'],
      ],
      ...[...columns.flatMap(({ cards }) => cards), ...lines].map((card) => [
        ...[card.id, card.stage, card.created_at, card.posted_at, card.channel, card.location, card.who],
        ...[card.score, card.reason, card.next_step, card.due_at, card.assigned_to, card.is_seen, card.quote],
      ]),
    ]
  },
  style: boardStyle,
})
