import { defineAppPage, refuseIgnored } from 'renown'
import { loadVisibility } from './load-visibility'
import type { VisibilityData } from './visibility-data'
import { visibilityStyle } from './visibility-style'

/** The page of AI visibility. */
export const visibilityPage = defineAppPage<VisibilityData>({
  path: '/app/visibility',
  title: 'AI visibility',
  nav: { label: 'AI visibility', order: 50, icon: 'eye' },
  module: new URL('./VisibilityPage.tsx', import.meta.url),
  isStatic: true,
  load: loadVisibility,
  csv: (data) => [
    [
      ...['prompt_id', 'prompt', 'tracker_id', 'brand', 'names_the_brand', 'engine', 'named', 'answers'],
      ...['rate_of_prompt', 'lost_answers', 'named_instead', 'rate_low', 'rate_high'],
    ],
    ...refuseIgnored(data).prompts.flatMap((line) =>
      line.cells.map((cell, place) => [
        ...[line.id, line.text, line.tracker_id, line.brand_name, line.is_branded],
        ...[data.by_engine[place]?.engine ?? '', cell?.k ?? null, cell?.n ?? 0],
        ...[line.rate.rate, line.lost, line.lost_to.map(({ name }) => name).join('; ')],
        ...[line.rate.ci95?.[0] ?? null, line.rate.ci95?.[1] ?? null],
      ]),
    ),
  ],
  style: visibilityStyle,
})
