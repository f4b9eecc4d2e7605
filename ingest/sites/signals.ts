import { type BatchAnswer, countUp, type ReasonCount, type SiteSignals } from 'renown/contracts'

/** Evidence in memory that the scripts of sites work. */
export interface Signals {
  /** Records that a page of the site fetched the script. */
  scriptFound(siteId: string): void
  testVisit(siteId: string, nonce: string, path: string): void
  /** Records a batch of a forwarder's lines. Called for each batch, so it does not read the clock. */
  linesRead(siteId: string, answer: BatchAnswer): void
  /** Records a body that was refused as a whole, and why. */
  bodyRefused(siteId: string, reason: string): void
  of(siteId: string): SiteSignals
}

type SiteLines = SiteSignals['lines']

const visitsMax = 10
const noLines: SiteLines = { accepted: 0, ignored: 0, rejected: 0, duplicate: 0, by_reason: [] }
const none: Omit<SiteSignals, 'lines' | 'refused_bodies'> = { script_found_at: null, test_visits: [] }

/** Keeps the last evidence of each site. It gets only known sites, so memory is limited. */
export function createSignals(now: () => Date): Signals {
  const bySite = new Map<string, typeof none>()
  const lines = new Map<string, Counted>()
  const refused = new Map<string, Map<string, number>>()
  const known = (siteId: string) => bySite.get(siteId) ?? none
  const at = () => now().toISOString()
  return {
    scriptFound: (siteId) => void bySite.set(siteId, { ...known(siteId), script_found_at: at() }),
    testVisit(siteId, nonce, path) {
      const before = known(siteId)
      const test_visits = [{ nonce, path, at: at() }, ...before.test_visits].slice(0, visitsMax)
      bySite.set(siteId, { ...before, test_visits })
    },
    linesRead(siteId, { accepted, ignored, rejected, duplicate, by_reason }) {
      const read = lines.get(siteId) ?? lineCounts()
      lines.set(siteId, read)
      read.accepted += accepted
      read.ignored += ignored
      read.rejected += rejected
      read.duplicate += duplicate
      if (by_reason) for (const reason of by_reason) addReason(read.by, reason)
    },
    bodyRefused(siteId, reason) {
      const by = refused.get(siteId) ?? new Map<string, number>()
      refused.set(siteId, by)
      if (by.has(reason) || by.size < reasonsMax) countUp(by, reason)
    },
    of: (siteId) => ({
      ...known(siteId),
      lines: linesOf(lines.get(siteId)),
      ...refusedOf(refused.get(siteId)),
    }),
  }
}

const reasonsMax = 20

function refusedOf(by: ReadonlyMap<string, number> | undefined): Pick<SiteSignals, 'refused_bodies'> {
  if (!by) return {}
  const refused = [...by].map(([reason, bodies]) => ({ reason, bodies }))
  return { refused_bodies: refused.sort((a, b) => b.bodies - a.bodies) }
}

interface Counted {
  accepted: number
  ignored: number
  rejected: number
  duplicate: number
  readonly by: Map<string, ReasonCount>
}

const lineCounts = (): Counted => ({ accepted: 0, ignored: 0, rejected: 0, duplicate: 0, by: new Map() })

function addReason(by: Counted['by'], { outcome, reason, lines }: ReasonCount) {
  const key = `${outcome} ${reason}`
  const before = by.get(key)
  by.set(key, { outcome, reason, lines: lines + (before?.lines ?? 0) })
}

function linesOf(counted: Counted | undefined): SiteLines {
  if (!counted) return noLines
  const { by, ...sums } = counted
  return { ...sums, by_reason: [...by.values()].sort((a, b) => b.lines - a.lines) }
}
