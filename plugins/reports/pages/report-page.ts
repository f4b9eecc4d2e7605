import { defineAction, defineRecordPage, field } from 'renown'
import * as v from 'valibot'
import { setParagraph, typedParagraph } from '../acts/paragraph'
import type { ReportTree } from '../blocks/block'
import { treeOf } from '../data/tree'
import { reportStyle } from '../html/report-style'
import { isEnded } from '../records/moveReport'
import { Report } from '../records/Report'
import { shareReport, unshareReport } from '../share/share'

/** The data of the page. */
export interface ReportData {
  readonly id: string
  readonly title: string
  readonly status: 'queued' | 'rendering' | 'completed' | 'failed'
  readonly error: string | null
  /** Null until the data of the report is frozen. */
  readonly tree: ReportTree | null
  readonly pdf_url: string | null
  readonly pdf_standard: string | null
  /** Its public address. Null if it is not shared. */
  readonly shared_at: string | null
  readonly views: number
  readonly mayShare: boolean
  /** The paragraph of a person. Empty without one. */
  readonly paragraph: string
  /** Set if the PDF lacks the newest paragraph. */
  readonly pdf_state: 'outdated' | 'failed' | null
  readonly mayWrite: boolean
}

/** The page of one report: what readers will see, its PDF, and its sharing. */
export const reportPage = defineRecordPage<typeof Report, ReportData>({
  path: '/app/reports/one',
  title: 'Report',
  module: new URL('./ReportPage.tsx', import.meta.url),
  isStatic: true,
  record: { entity: Report, param: 'report' },
  titleOf: ({ title }) => title,
  async load(ctx, _, { row, mayChange }) {
    const tree = treeOf(ctx.system, row)
    return {
      ...{ id: row.id, title: `${tree.title}, ${tree.period}`, status: row.status },
      error: row.error_message ?? null,
      tree: row.data_hash === undefined && !isEnded(row) ? null : tree,
      ...{ pdf_url: row.pdf_url ?? null, pdf_standard: row.pdf_standard ?? null },
      shared_at:
        row.is_public && row.public_share_id ? `${ctx.apiUrl}/p/report/${row.public_share_id}` : null,
      views: row.share_view_count ?? 0,
      ...{ paragraph: row.paragraph ?? '', pdf_state: row.pdf_state ?? null, mayWrite: mayChange },
      mayShare: mayChange && row.status === 'completed' && row.business_location_id !== undefined,
    }
  },
  notices: {
    queued: 'The report is being made. This takes some seconds: load the page again.',
  },
  actions: {
    paragraph: defineAction({
      input: v.strictObject({ id: field.text('Report'), text: typedParagraph }),
      auth: 'session',
      only: 'owner',
      refusesDemo: true,
      done: 'The paragraph was saved.',
      async run({ owner, workspace }, { id, text }) {
        await setParagraph(owner, { workspace_id: workspace.id, id, text })
      },
    }),
    share: defineAction({
      input: v.strictObject({ id: field.text('Report') }),
      auth: 'session',
      only: 'owner',
      refusesDemo: true,
      done: 'The report is shared. Everybody with the link can read it.',
      async run({ owner, workspace }, { id }) {
        await shareReport(owner, workspace.id, id)
      },
    }),
    unshare: defineAction({
      input: v.strictObject({ id: field.text('Report') }),
      auth: 'session',
      only: 'owner',
      refusesDemo: true,
      done: 'The report is no longer shared. Its link answers 404.',
      async run({ owner, workspace }, { id }) {
        await unshareReport(owner, workspace.id, id)
      },
    }),
  },
  style: reportStyle,
})
