import { joined, type Piece, pieceByType } from 'renown/visibility'
import * as v from 'valibot'

const line = v.nullish(v.string())
const sources = v.nullish(v.array(v.object({ url: line, title: line })), [])
const pagesOf = (told: v.InferOutput<typeof sources>) =>
  told.map(({ url, title }) => ({ url: url ?? '', title }))

/** The content of a page. `isShown` is false if Google shows no answer for the prompt. */
export type AnswerPage = Piece & { readonly isShown: boolean; readonly model?: string | null | undefined }

const overview = v.pipe(
  v.object({ markdown: v.string(), references: sources }),
  v.transform(
    ({ markdown, references }): AnswerPage => ({ isShown: true, text: markdown, cited: pagesOf(references) }),
  ),
)

/** A page of Google. Without an `ai_overview`, Google showed none. */
export const googlePage = v.pipe(
  v.object({ items: v.array(pieceByType({ ai_overview: overview })) }),
  v.transform(
    ({ items }): AnswerPage => ({ ...joined(items), isShown: items.some((item) => 'isShown' in item) }),
  ),
)

/** The answer of an assistant as consumers see it. */
export const assistantPage = v.pipe(
  v.object({
    ...{ markdown: v.string(), model: line, sources, search_results: sources },
    fan_out_queries: v.nullish(v.array(v.string()), []),
  }),
  v.transform(({ markdown, model, sources, search_results, fan_out_queries: queries }): AnswerPage => {
    const found = { cited: pagesOf(sources), consulted: pagesOf(search_results) }
    return { isShown: true, text: markdown, model, queries, ...found }
  }),
)
