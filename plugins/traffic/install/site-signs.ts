import type { Row } from 'renown'
import type { PageContext } from 'renown/pages'
import type { SiteSignals } from 'renown/traffic'
import { AiTrafficSite } from '../records/AiTrafficSite'

/** Evidence that a site's tag and log work. */
export interface SiteSigns {
  /** The evidence since the ingest started. Null if the ingest does not run with this `bun start`. */
  readonly seen: SiteSignals | null
  readonly last_beacon_at: string | null
  readonly last_log_at: string | null
}

const lookEveryMs = 150
/** The stored times are read only in every twelfth check. */
const readEvery = 12

/** Returns the current evidence. */
export const signsOf = async (
  counter: PageContext['counter'],
  site: Row<typeof AiTrafficSite>,
): Promise<SiteSigns> => ({
  seen: (await counter?.signals(site.id)) ?? null,
  last_beacon_at: site.last_beacon_at ?? null,
  last_log_at: site.last_log_at ?? null,
})

/** Yields the evidence for the site in `?site=` after each change. */
export async function* watchSite(
  ctx: Pick<PageContext, 'rows' | 'counter'>,
  query: URLSearchParams,
  signal: AbortSignal,
): AsyncGenerator<SiteSigns> {
  const id = query.get('site') ?? ''
  let said = ''
  for (let turn = 0; !signal.aborted; ) {
    const site = await ctx.rows(AiTrafficSite).get(id)
    if (!site) return
    do {
      const signs = await signsOf(ctx.counter, site)
      const text = JSON.stringify(signs)
      if (text !== said) yield signs
      said = text
      await Bun.sleep(lookEveryMs)
    } while (!signal.aborted && ++turn % readEvery !== 0)
  }
}
