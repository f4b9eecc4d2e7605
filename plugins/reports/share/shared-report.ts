import { messageOf, Refusal, refusedField } from 'renown'
import type { PublicPageDeclaration } from 'renown/pages'
import * as v from 'valibot'
import type { ReportTree } from '../blocks/block'
import { brandRules } from '../branding/brand-rules'
import { dataUrlOf, pictureOf } from '../branding/branding'
import { treeOf } from '../data/tree'
import { reportForms } from '../forms/forms'
import { reportStyle } from '../html/report-style'
import { Report } from '../records/Report'
import { countView, sharedReport } from './share'
import { isSharePassword } from './share-password'
import { sharedFileName } from './shared-files'

/** The data of the page of a shared report. */
export interface SharedData {
  /** Null until the reader entered the password. The page then says nothing about the report. */
  readonly tree: ReportTree | null
  readonly pdf_url: string | null
  readonly logo: string | null
  /** The other forms. */
  readonly forms: readonly { readonly label: string; readonly href: string }[]
}

const locked: SharedData = { tree: null, pdf_url: null, forms: [], logo: null }

/** The page of a shared report, for people without an account. */
export const sharedReportPage: PublicPageDeclaration<SharedData> = {
  summary: 'A shared report',
  async find(ctx, { text }) {
    const report = await sharedReport(ctx, text)
    return report && { id: report.id, workspace_id: report.workspace_id }
  },
  page: {
    module: new URL('./SharedReport.tsx', import.meta.url),
    title: 'Report',
    async load(ctx, { id, workspace_id }, { shown }) {
      const report = await ctx.rows(Report).get(id)
      if (!report) throw new Refusal('not_found', 'There is nothing at this address.')
      // The hash that was entered correctly. If the password changed in the meantime, it is another one.
      const { share_password_hash: hash } = report
      if (hash !== undefined && shown !== hash) return locked
      countView(ctx, id).catch((error) =>
        ctx.log.warn('a view of a shared report was not counted', { report_id: id, error: messageOf(error) }),
      )
      const file = report.pdf_url === undefined ? null : sharedFileName(ctx, report, 'pdf')
      const tree = treeOf(ctx, report)
      return {
        tree,
        logo: dataUrlOf(await pictureOf(ctx, tree.brand)),
        pdf_url: file === null ? null : `/uploads/reports/${workspace_id}/${file}`,
        forms: reportForms.flatMap(({ extension, label }) => {
          const name = sharedFileName(ctx, report, extension)
          return name === null ? [] : [{ label, href: `/uploads/reports/${workspace_id}/${name}` }]
        }),
      }
    },
    headOf: ({ tree }) => {
      const rules = brandRules(tree?.brand)
      return {
        ...(tree ? { title: `${tree.title}, ${tree.period}` } : {}),
        ...(tree?.brand ? { brand: tree.from } : {}),
        ...(rules === undefined ? {} : { rules }),
      }
    },
    style: reportStyle,
    submit: {
      input: v.strictObject({ password: v.pipe(v.string(), v.maxLength(1_000)) }),
      isGuess: true,
      async run(ctx, { id }, { password }) {
        const hash = (await ctx.rows(Report).get(id))?.share_password_hash
        if (hash === undefined) return
        if (!(await isSharePassword(ctx, password, hash))) {
          throw refusedField('password', 'This is not the password of the report.')
        }
        return { shown: hash }
      },
    },
  },
}
