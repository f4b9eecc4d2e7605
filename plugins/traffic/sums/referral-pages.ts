import type { Day } from '../records/days'

/** The fields of a daily row that the sums use. */
export type ReferralDay = Pick<Day, 'site_id' | 'referral_visits' | 'by_referrer' | 'referral_paths'>

/** Maximum landing pages of a daily row. A list of this length may be incomplete. */
const listMax = 25

/** Visits to a page. The row of a day counts visits by page and by assistant, but not by both. */
export interface LandingPage {
  readonly site_id: string
  readonly path: string
  /** A lower limit: visits on days that list the page. */
  visits: number
  /** The highest possible number of visits on days whose full lists do not contain the page. */
  hidden: number
  days: number
  /** The least visits from each assistant. Its other visits may have begun on other pages. */
  readonly fromAtLeast: Map<string, number>
}

/** Sums landing pages by site and path, and visits by assistant. With `hosts`, only visits from these. */
export function newLandingPages(hosts: readonly string[] | undefined) {
  const pages = new Map<string, LandingPage>()
  const hiddenBySite = new Map<string, number>()
  const byAssistant = new Map<string, number>()
  const addDay = (day: ReferralDay) => {
    for (const [host, visits] of Object.entries(day.by_referrer)) add(byAssistant, host, visits)
    const fromHost =
      hosts === undefined
        ? day.referral_visits
        : hosts.reduce((sum, host) => sum + (day.by_referrer[host] ?? 0), 0)
    if (fromHost === 0) return
    const last = day.referral_paths.length >= listMax ? (day.referral_paths.at(-1)?.visits ?? 0) : 0
    const unlisted = Math.min(last, fromHost)
    add(hiddenBySite, day.site_id, unlisted)
    for (const { path, visits } of day.referral_paths) {
      const page = pageIn(pages, day.site_id, path)
      const least = hosts === undefined ? visits : leastFrom(day, visits, fromHost)
      page.visits += least
      // What may have come from the assistant, without what certainly did.
      page.hidden += Math.min(visits, fromHost) - least - unlisted
      page.days += 1
      for (const [host, all] of Object.entries(day.by_referrer)) {
        const sure = leastFrom(day, visits, all)
        if (sure > 0) add(page.fromAtLeast, host, sure)
      }
    }
  }
  return {
    add(days: readonly ReferralDay[]) {
      for (const day of days) addDay(day)
    },
    byAssistant,
    /** Returns the pages, most visits first. */
    sorted(): LandingPage[] {
      return [...pages.values()]
        .map((page) => ({ ...page, hidden: page.hidden + (hiddenBySite.get(page.site_id) ?? 0) }))
        .sort(byVisits)
    },
  }
}

/** Returns how many visits to a page must have come from an assistant: the others cannot account for them. */
const leastFrom = ({ referral_visits }: ReferralDay, visits: number, fromHost: number): number =>
  Math.max(0, visits - (referral_visits - fromHost))

const byVisits = (a: LandingPage, b: LandingPage): number =>
  b.visits - a.visits || compare(a.path, b.path) || compare(a.site_id, b.site_id)

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function add(sums: Map<string, number>, name: string, count: number): void {
  sums.set(name, (sums.get(name) ?? 0) + count)
}

function pageIn(pages: Map<string, LandingPage>, site_id: string, path: string): LandingPage {
  const key = `${site_id} ${path}`
  const known = pages.get(key)
  if (known) return known
  const made: LandingPage = { site_id, path, visits: 0, hidden: 0, days: 0, fromAtLeast: new Map() }
  pages.set(key, made)
  return made
}
