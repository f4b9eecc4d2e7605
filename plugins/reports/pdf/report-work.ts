import type { OwnerContext } from 'renown'
import { pictureOf } from '../branding/branding'
import { treeOf } from '../data/tree'
import type { ReportRow } from '../records/moveReport'
import type { Work } from './child'
import { pageModelOf } from './page-model'

/** Returns what a renderer needs for the PDF of a report: its texts and its logo. The same report gives the same. */
export async function workOf(
  ctx: Pick<OwnerContext, 'extensions' | 'rows'>,
  report: ReportRow,
): Promise<Work> {
  const tree = treeOf(ctx, report)
  const picture = await pictureOf(ctx, tree.brand)
  return { model: pageModelOf(tree, picture), at: report.created_date, fontFolders: [] }
}
