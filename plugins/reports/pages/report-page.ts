import { Refusal } from 'renown'
import { actForm, actsOnPage, definePage, type PageFileDeclaration, type PageRecord } from 'renown/pages'
import { writeParagraph } from '../acts/paragraph-command'
import { retryReport } from '../acts/report-acts'
import type { ReportTree } from '../blocks/block'
import { brandRules } from '../branding/brand-rules'
import { dataUrlOf, pictureOf } from '../branding/branding'
import { treeOf } from '../data/tree'
import { formName, type ReportForm, reportForms } from '../forms/forms'
import { reportStyle } from '../html/report-style'
import { holdReport, mailActs, sendReport } from '../mail/mail-commands'
import { isEnded } from '../records/moveReport'
import { Report } from '../records/Report'
import { shareActs } from '../share/share-acts'
import { mailingOf, type ShownMailing } from './mail-data'
import { type ShownShare, shareOf } from './shown-share'

/** The data of the page. */
export interface ReportData {
  readonly id: string
  readonly title: string
  readonly status: 'queued' | 'rendering' | 'completed' | 'failed'
  readonly error: string | null
  /** Null until the data of the report is frozen. */
  readonly tree: ReportTree | null
  readonly logo: string | null
  readonly pdf_url: string | null
  readonly pdf_standard: string | null
  /** Null if it is not shared. */
  readonly share: ShownShare | null
  readonly mayShare: boolean
  /** The paragraph of a person. Empty without one. */
  readonly paragraph: string
  /** Set if the PDF lacks the newest paragraph. */
  readonly pdf_state: 'outdated' | 'failed' | null
  readonly mayWrite: boolean
  /** Whether the same report can be made again. */
  readonly mayRetry: boolean
  /** How far its mail is. */
  readonly mail: {
    readonly state: 'planned' | 'held' | 'released' | 'cancelled' | null
    readonly at: string | null
    readonly note: string | null
  }
  /** Null for people who may not change it, and for reports without a location. */
  readonly mailing: ShownMailing | null
}

const path = '/app/reports/one'

/** Returns a form of the report as a file of the page. */
const fileOf = ({ type, extension, make }: ReportForm): PageFileDeclaration<[PageRecord<typeof Report>]> => ({
  type,
  async load(ctx, _, { row }) {
    if (row.status !== 'completed') throw new Refusal('not_found', 'The report is not completed.')
    return { bytes: await make(treeOf(ctx.system, row)), filename: formName(row, extension) }
  },
})

const onPage = actsOnPage({
  ...mailActs,
  ...shareActs,
  send: sendReport,
  hold: holdReport,
  paragraph: writeParagraph,
  retry: retryReport,
})

/** The page of one report: what readers will see, its PDF, and its sharing. */
export const reportPage = definePage<typeof Report, ReportData>({
  path,
  title: 'Report',
  module: new URL('./ReportPage.tsx', import.meta.url),
  isStatic: true,
  record: { entity: Report, param: 'report' },
  titleOf: ({ title }) => title,
  headOf({ id, status, tree }) {
    const rules = brandRules(tree?.brand)
    const isOpen = status === 'queued' || status === 'rendering'
    return {
      ...(isOpen ? { refresh: { seconds: 3, to: `${path}?report=${id}` } } : {}),
      ...(rules === undefined ? {} : { rules }),
    }
  },
  async load(ctx, _, { row, mayChange }) {
    const tree = treeOf(ctx.system, row)
    return {
      id: row.id,
      title: `${tree.title}, ${tree.period}`,
      status: row.status,
      error: row.error_message ?? null,
      logo: dataUrlOf(await pictureOf(ctx.system, tree.brand)),
      tree: row.data_hash === undefined && !isEnded(row) ? null : tree,
      pdf_url: row.pdf_url ?? null,
      pdf_standard: row.pdf_standard ?? null,
      share: await shareOf(ctx, row),
      mayRetry: row.status === 'failed' && !ctx.isDemo && row.business_location_id !== undefined,
      paragraph: row.paragraph ?? '',
      pdf_state: row.pdf_state ?? null,
      mayWrite: mayChange,
      mail: { state: row.mail_state ?? null, at: row.mail_at ?? null, note: row.mail_note ?? null },
      mailing:
        (mayChange || ctx.isDemo) && row.business_location_id !== undefined
          ? await mailingOf(ctx, listsOf(row), row.id)
          : null,
      mayShare: mayChange && row.status === 'completed' && row.business_location_id !== undefined,
    }
  },
  files: Object.fromEntries(reportForms.map((form) => [`report.${form.extension}`, fileOf(form)])),
  notices: onPage.notices,
  actions: {
    ...onPage.actions,
    retry: actForm(retryReport, 'queued', {
      to: (_, done, { created = '' }) => `${path}?${new URLSearchParams({ report: created, done })}`,
    }),
  },
  style: reportStyle,
})

/** The report itself, and the schedule that made it. */
const listsOf = ({
  id,
  scheduled_report_id: schedule,
}: {
  readonly id: string
  readonly scheduled_report_id?: string | undefined
}) => (schedule === undefined ? [id] : [id, schedule])
