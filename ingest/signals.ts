import type { BatchAnswer, SiteSignals } from 'renown/contracts'

/** Signs of life of the sites' scripts, in memory. */
export interface Signals {
  /** A page of the site fetched the script. */
  scriptFound(siteId: string): void
  testVisit(siteId: string, nonce: string, path: string): void
  /** A forwarder's lines were read. Called for each batch, so no clock is asked. */
  linesRead(siteId: string, answer: BatchAnswer): void
  of(siteId: string): SiteSignals
}

type SiteLines = SiteSignals['lines']

const visitsMax = 10
const noLines: SiteLines = { accepted: 0, ignored: 0, rejected: 0 }
const none: Omit<SiteSignals, 'lines'> = { script_found_at: null, test_visits: [] }

/** Keeps the last of each site; who may not be counted for cannot get here, so their number is that of the sites. */
export function createSignals(now: () => Date): Signals {
  const bySite = new Map<string, typeof none>()
  const lines = new Map<string, { -readonly [Name in keyof SiteLines]: SiteLines[Name] }>()
  const known = (siteId: string) => bySite.get(siteId) ?? none
  const at = () => now().toISOString()
  return {
    scriptFound: (siteId) => void bySite.set(siteId, { ...known(siteId), script_found_at: at() }),
    testVisit(siteId, nonce, path) {
      const before = known(siteId)
      const test_visits = [{ nonce, path, at: at() }, ...before.test_visits].slice(0, visitsMax)
      bySite.set(siteId, { ...before, test_visits })
    },
    linesRead(siteId, { accepted, ignored, rejected }) {
      const read = lines.get(siteId)
      if (!read) return void lines.set(siteId, { accepted, ignored, rejected })
      read.accepted += accepted
      read.ignored += ignored
      read.rejected += rejected
    },
    of: (siteId) => ({ ...known(siteId), lines: { ...(lines.get(siteId) ?? noLines) } }),
  }
}
