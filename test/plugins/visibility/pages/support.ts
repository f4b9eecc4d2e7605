import type { PageContext } from '../../../../core/contracts/page'
import { loadVisibility } from '../../../../plugins/visibility/pages/load-visibility'
import { type Ran, type VisibilityBench, visibilityBench } from '../support/bench'

/** Noon of a day before the bench's today, which is 15 March. */
export const daysAgo = (days: number) => ({
  started_at: new Date(Date.parse('2026-03-15T12:00:00.000Z') - days * 86_400_000).toISOString(),
})

/** The context of a page over the bench. */
export const pageContext = ({ bench }: VisibilityBench, more: object = {}) =>
  ({
    ...bench.read('wsp_1'),
    person: { role: 'owner' },
    system: bench.owner,
    isDemo: false,
    apiUrl: 'https://renown.example',
    ...more,
  }) as unknown as PageContext

/** The bench with the page over it. */
export async function pageBench() {
  const held = await visibilityBench()
  return {
    ...held,
    load: (query = '', more: object = {}) =>
      loadVisibility(pageContext(held, more), new URLSearchParams(query)),
    /** Runs on successive days, of which the first `k` name the brand. */
    async series(k: number, n: number, first: number, row: Ran = {}) {
      for (let day = 0; day < n; day++)
        await held.run({ brand_mentioned: day < k, ...daysAgo(first + day), ...row })
    },
  }
}
export type PageBench = Awaited<ReturnType<typeof pageBench>>
