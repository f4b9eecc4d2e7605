import { isServiceFault, type OwnerContext } from 'renown'
import * as v from 'valibot'
import { cutText } from '../blocks/texts'
import type { ReportRow } from '../records/moveReport'
import type { ReportSection, SectionData } from '../templates/section'
import type { Insights } from './report-data'

interface Asked {
  readonly sections: readonly ReportSection[]
  readonly parts: ReadonlyMap<string, SectionData>
  readonly report: ReportRow
  readonly signal: AbortSignal
}

const sentence = v.pipe(v.string(), v.minLength(3), v.maxLength(300))
const answer = v.strictObject({
  themes: v.pipe(
    v.array(v.strictObject({ theme: v.pipe(v.string(), v.maxLength(80)), quote: v.string() })),
    v.maxLength(5),
  ),
  recommendations: v.pipe(v.array(sentence), v.maxLength(3)),
})

const instructions = [
  'You read reviews and public posts about one business, and figures about it.',
  'Return at most 5 themes that several texts have. Copy one quote from a text for each theme, word for word.',
  'Return at most 3 recommendations for the owner. Each must follow from the texts or the figures.',
  'Do not invent numbers, names or facts. Write in English.',
].join('\n')

/**
 * Returns the insights of a report. The notable texts are chosen by the rules of the sections. The themes and
 * recommendations come from a language model, and are null if none answered. A theme whose quote does not occur in the
 * texts is left out.
 */
export async function askInsights(ctx: OwnerContext, asked: Asked): Promise<Insights> {
  const notable = (name: string) => {
    const data = asked.parts.get(name)
    return data === undefined
      ? null
      : (asked.sections.find((section) => section.name === name)?.notable?.(data) ?? [])
  }
  const reviews = notable('reviews')
  const mentions = notable('mentions')
  const texts = [...(reviews ?? []), ...(mentions ?? [])].map(({ quote }) => quote)
  const found = await askModel(ctx, asked, texts)
  return {
    ...(typeof found === 'string'
      ? { topThemes: null, recommendations: null, unknown_because: found }
      : {
          topThemes: found.themes.flatMap(({ theme, quote }) => (occurs(quote, texts) ? [theme] : [])),
          recommendations: found.recommendations,
        }),
    notableReviews: reviews,
    notableMentions: mentions,
  }
}

/** Returns what a model says about the texts, or why there is nothing. */
async function askModel(ctx: OwnerContext, { parts, report, signal }: Asked, texts: readonly string[]) {
  const { model } = ctx.outbound
  if (!model.isConfigured) return 'no language model is configured'
  if (texts.length === 0) return 'there is no text to read'
  try {
    return await model.ask({
      name: 'report_insights',
      instructions,
      answer,
      signal,
      isBackground: true,
      workspace_id: report.workspace_id,
      data: { texts, figures: Object.fromEntries(parts) },
    })
  } catch (error) {
    if (!isServiceFault(error)) throw error
    ctx.log.warn('a report has no insights of a model', { report_id: report.id, fault: error.message })
    return cutText(`the language model failed: ${error.message}`)
  }
}

const folded = (text: string) => text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** Whether a quote occurs in one of the texts, word for word. */
const occurs = (quote: string, texts: readonly string[]) => {
  const wanted = folded(quote)
  return wanted.length >= 8 && texts.some((text) => folded(text).includes(wanted))
}
