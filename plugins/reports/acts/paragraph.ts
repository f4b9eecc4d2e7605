import type { OwnerContext } from 'renown'
import * as v from 'valibot'
import type { ReportRow } from '../records/moveReport'
import { Report } from '../records/Report'

/** Maximum length of a person's paragraph, in UTF-16 units. */
export const paragraphMax = 2_000
/** Maximum number of its parts, which are separated by empty lines. */
const partsMax = 20

/** Returns a typed paragraph with plain line breaks, at most one empty line in a row, and no control characters. */
const cleaned = (typed: string): string =>
  typed
    .toWellFormed()
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[^\P{Cc}\n]/gu, ' ')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/\n\n\n*/g, '\n\n')
    .trim()

/** The schema of a paragraph that a person types. An empty text removes it. */
export const typedParagraph = v.pipe(
  v.string(),
  v.maxLength(paragraphMax * 2, `at most ${paragraphMax} characters`),
  v.transform(cleaned),
  v.maxLength(paragraphMax, `at most ${paragraphMax} characters`),
  v.check((text) => text.split('\n\n').length <= partsMax, `at most ${partsMax} paragraphs`),
)

/**
 * Stores the paragraph of a person in a report. It is not part of the frozen data, so `data_hash` stays the same. The PDF
 * of a completed report is rendered again in the background, and the old one stays until then.
 */
export async function setParagraph(ctx: OwnerContext, report: ReportRow, text: string): Promise<ReportRow> {
  await ctx.requireActive(report.workspace_id)
  if ((report.paragraph ?? '') === text && report.pdf_state !== 'failed') return report
  const changed = await ctx.rows(Report).update(report.id, {
    paragraph: text === '' ? undefined : text,
    paragraph_at: ctx.now().toISOString(),
    pdf_state: 'outdated',
  })
  return changed ?? report
}
