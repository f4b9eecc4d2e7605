import type { SiteSignals } from 'renown/contracts'

/** Signs of life of the sites' scripts, in memory. */
export interface Signals {
  /** A page of the site fetched the script. */
  scriptFound(siteId: string): void
  testVisit(siteId: string, nonce: string, path: string): void
  of(siteId: string): SiteSignals
}

const visitsMax = 10
const none: SiteSignals = { script_found_at: null, test_visits: [] }

/** Keeps the last of each site; who may not be counted for cannot get here, so their number is that of the sites. */
export function createSignals(now: () => Date): Signals {
  const bySite = new Map<string, SiteSignals>()
  const known = (siteId: string) => bySite.get(siteId) ?? none
  const at = () => now().toISOString()
  return {
    scriptFound: (siteId) => void bySite.set(siteId, { ...known(siteId), script_found_at: at() }),
    testVisit(siteId, nonce, path) {
      const before = known(siteId)
      const test_visits = [{ nonce, path, at: at() }, ...before.test_visits].slice(0, visitsMax)
      bySite.set(siteId, { ...before, test_visits })
    },
    of: known,
  }
}
