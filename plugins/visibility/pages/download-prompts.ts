import { refuseIgnored } from 'renown'
import { type FileTable, fileColumns, type PageContext } from 'renown/pages'
import { loadVisibility } from './load-visibility'

/** Returns the prompts of the page, with one row for each engine. */
export async function downloadPrompts(ctx: PageContext, query: URLSearchParams): Promise<FileTable> {
  const { prompts, by_engine } = refuseIgnored(await loadVisibility(ctx, query))
  return {
    columns: fileColumns({
      prompt_id: null,
      prompt: null,
      tracker_id: null,
      brand: null,
      names_the_brand: null,
      engine: null,
      named: 'count',
      answers: 'count',
      rate_of_prompt: 'percent',
      lost_answers: 'count',
      named_instead: null,
      rate_low: 'percent',
      rate_high: 'percent',
    }),
    rows: prompts.flatMap((line) =>
      line.cells.map((cell, place) => [
        line.id,
        line.text,
        line.tracker_id,
        line.brand_name,
        line.is_branded,
        by_engine[place]?.engine ?? '',
        cell?.k ?? null,
        cell?.n ?? 0,
        line.rate.rate,
        line.lost,
        line.lost_to.map(({ name }) => name).join('; '),
        line.rate.ci95?.[0] ?? null,
        line.rate.ci95?.[1] ?? null,
      ]),
    ),
  }
}
