import { joined, oddIn, type Piece, pieceByType, sideField, sideList, valueOr } from 'renown/visibility'
import * as v from 'valibot'

const line = v.string()
/** A page. Either its address or its title may be missing. */
const source = v.pipe(
  v.object({ url: sideField('the url of a source', line), title: sideField('the title of a source', line) }),
  v.transform(({ url, title }) => ({
    page: { url: valueOr(url, ''), title: valueOr(title, null) },
    isNamed: url.is === 'value' || title.is === 'value',
    odd: oddIn(url, title),
  })),
)
/** A list that is null or not there when it is empty. */
const sources = (name: string) => sideList(name, source, 'none')
type Sources = v.InferOutput<ReturnType<typeof sources>>
const pagesOf = ({ items }: Sources) => items.filter(({ isNamed }) => isNamed).map(({ page }) => page)
const oddOf = ({ items, odd }: Sources) => [...odd, ...items.flatMap((one) => one.odd)]

/** The content of a page. `isShown` is false if Google shows no answer for the prompt. */
export type AnswerPage = Piece & { readonly isShown: boolean; readonly model?: string | null | undefined }

const overview = v.pipe(
  v.object({ markdown: v.string(), references: sources('references') }),
  v.transform(
    ({ markdown, references }): AnswerPage => ({
      isShown: true,
      text: markdown,
      cited: pagesOf(references),
      odd: oddOf(references),
    }),
  ),
)
const item = pieceByType({ ai_overview: overview })
const otherItem = v.object({ type: v.pipe(v.string(), v.notValue('ai_overview')) })
const withText = v.object({ type: v.string(), markdown: v.string() })
/** Other parts of the page are results of the search. One with a text may be the answer under another name. */
const pageItem = v.pipe(
  v.unknown(),
  v.transform((given): Piece => {
    if (!v.is(otherItem, given)) return v.parse(item, given)
    return v.is(withText, given) ? { odd: [`a part of the unknown type ${given.type} has a text`] } : {}
  }),
)

/** A page of Google. Without an `ai_overview`, Google showed none. */
export const googlePage = v.pipe(
  v.object({ items: v.array(pageItem) }),
  v.transform(
    ({ items }): AnswerPage => ({ ...joined(items), isShown: items.some((item) => 'isShown' in item) }),
  ),
)

/** The answer of an assistant as consumers see it. */
export const assistantPage = v.pipe(
  v.object({
    markdown: v.string(),
    model: sideField('model', line),
    sources: sources('sources'),
    search_results: sources('search_results'),
    fan_out_queries: sideList('fan_out_queries', line, 'none'),
  }),
  v.transform(({ markdown, model, sources, search_results, fan_out_queries }): AnswerPage => {
    const found = { cited: pagesOf(sources), consulted: pagesOf(search_results) }
    const odd = [...oddIn(model), ...oddOf(sources), ...oddOf(search_results), ...fan_out_queries.odd]
    return {
      isShown: true,
      text: markdown,
      model: valueOr(model, null),
      queries: fan_out_queries.items,
      ...found,
      odd,
    }
  }),
)
