import { definePage } from 'renown/pages'
import { leadWords } from '../words'
import { boardPath } from './board-filters'
import { boardStyle } from './board-style'
import { downloadLeads } from './download-leads'
import { leadActions, leadNotices } from './lead-actions'
import { type BoardData, countUnseen, loadBoard } from './load-board'

/** The page of leads: columns by stage, or one list with the selected lead. */
export const boardPage = definePage<BoardData>({
  path: boardPath,
  title: 'Leads',
  nav: { label: leadWords('navLeads'), order: 30, icon: 'user', count: countUnseen },
  module: new URL('./BoardPage.tsx', import.meta.url),
  load: loadBoard,
  actions: leadActions,
  notices: leadNotices,
  download: downloadLeads,
  style: boardStyle,
})
