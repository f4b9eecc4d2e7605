import { defineList, definePage, eachPage } from 'renown/pages'
import { Lead } from '../records/Lead'
import { leadWords } from '../words'
import { boardFilters, boardPath, isBoard } from './board-filters'
import { boardStyle } from './board-style'
import { leadActions, leadNotices } from './lead-actions'
import { severalLeads } from './lead-several'
import { boardOf, listLeads } from './list-leads'
import { type BoardOwn, countUnseen, loadBoard } from './load-board'
import { loadLead } from './load-lead'
import type { ShownCard } from './shown-card'

/** Rows that are read at once for a file. */
const size = 200

/** The page of leads: columns by stage, or the list of one stage. The lead in the address is next to the list. */
export const boardPage = definePage<BoardOwn>({
  path: boardPath,
  title: 'Leads',
  nav: { label: leadWords('navLeads'), order: 30, icon: 'user', count: countUnseen },
  module: new URL('./BoardPage.tsx', import.meta.url),
  list: defineList({
    rows: 'leads',
    perPage: 50,
    filters: boardFilters,
    source: (ctx, asked) => ({
      after: async (part) =>
        isBoard(asked)
          ? { rows: (await boardOf(ctx, asked)).cards, next: null }
          : listLeads(ctx, asked, part),
      async *pages() {
        const parts = eachPage((after) => listLeads(ctx, asked, { after, limit: size }))
        for await (const { rows } of parts) yield rows
      },
    }),
    line: (card) => card,
    columns: () => [
      { name: 'id', value: ({ id }: ShownCard) => id },
      { name: 'stage', value: ({ stage }) => stage },
      { name: 'created_at', type: 'instant', value: ({ created_at }) => created_at },
      { name: 'posted_at', type: 'instant', value: ({ posted_at }) => posted_at },
      { name: 'source', value: ({ channel }) => channel },
      { name: 'location', value: ({ location }) => location },
      { name: 'who', value: ({ who }) => who },
      { name: 'intent_score', type: 'number', value: ({ score }) => score },
      { name: 'reason', value: ({ reason }) => reason },
      { name: 'next_step', value: ({ next_step }) => next_step },
      { name: 'due_at', type: 'instant', value: ({ due_at }) => due_at },
      { name: 'assigned_to', value: ({ assigned_to }) => assigned_to },
      { name: 'seen', value: ({ is_seen }) => is_seen },
      { name: 'text', value: ({ quote }) => quote },
      { name: 'attribution', value: ({ attribution }) => attribution },
      { name: 'no_text_because', value: ({ missing }) => missing },
    ],
    beside: { param: 'lead', load: loadLead },
    several: severalLeads,
    empty: () => 'No lead matches these filters.',
    hasAny: async (ctx) => (await ctx.rows(Lead).list({ limit: 1, fields: ['stage'] })).length > 0,
    notes: {
      of: ({ missing }) => missing,
      say: (counts) =>
        [...counts].map(([why, count]) => `${count.toLocaleString('en')} without a text: ${why}`),
    },
  }),
  load: loadBoard,
  actions: leadActions,
  notices: leadNotices,
  style: boardStyle,
})
