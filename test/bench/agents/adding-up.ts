import { unmarked } from '../../support/mcp'
import type { openDemo } from './demo-world'
import { addUp, type Fact, shownReviews, siteDays, sum } from './sums'

type Demo = Awaited<ReturnType<typeof openDemo>>

async function ask(demo: Demo, tool: string, args: object = {}): Promise<Fact> {
  const { content, isError } = await demo.callTool(tool, { ...args })
  if (isError) throw new Error(`${tool}: ${content[0]?.text}`)
  return unmarked(JSON.parse(content[0]?.text ?? '{}')) as Fact
}

/** What explainReviewCount lists at each platform of each location, with the reasons for a difference, beside the rows. */
export async function explainedReviews(demo: Demo) {
  const locations = demo.facts.rows('BusinessLocation').filter(({ is_prospect }) => !is_prospect) as Fact[]
  const shown = shownReviews(demo.facts)
  const answers = locations.map(async ({ id }) => {
    const { sources, differences } = await ask(demo, 'explainReviewCount', { location_id: id })
    return sources.map(({ source, we_list, source_shows, difference }: Fact) => ({
      answer: [
        we_list,
        difference ?? 0,
        sum(differences.flatMap((one: Fact) => (one.source === source ? [one.reviews] : []))),
      ],
      rows: [
        shown.filter((one) => one.location_id === id && one.source === source).length,
        ...[0, 0].map(() => (source_shows === null ? 0 : source_shows - we_list)),
      ],
    }))
  })
  return (await Promise.all(answers)).flat()
}

/** The visits of getReferralPages in all, by assistant and by page, beside the rows. */
export async function referredVisits(demo: Demo) {
  const args = { limit: 100 }
  const { period, by_assistant, referral_visits, pages } = await ask(demo, 'getReferralPages', args)
  const days = siteDays(demo.facts, period.date_from, period.date_to)
  const listed = new Map<string, number>()
  for (const { site_id, referral_paths } of days)
    for (const { path, visits } of JSON.parse(referral_paths) as Fact[])
      listed.set(`${site_id} ${path}`, (listed.get(`${site_id} ${path}`) ?? 0) + visits)
  const answered: readonly Fact[] = pages
  return {
    answer: {
      visits: [referral_visits, sum(by_assistant.map(({ visits }: Fact) => visits))],
      hosts: Object.fromEntries(by_assistant.map(({ host, visits }: Fact) => [host, visits])),
      pages: answered.map(({ site_id, path, visits }) => [site_id, path, visits]),
    },
    rows: {
      visits: [0, 0].map(() => sum(days.map(({ referral_visits: visits }) => visits))),
      hosts: addUp(days, 'by_referrer'),
      pages: answered.map(({ site_id, path }) => [site_id, path, listed.get(`${site_id} ${path}`)]),
    },
  }
}

/** The limits of the demo: each with what is used, what is left, and their sum. */
export async function limitsOf(demo: Demo): Promise<readonly Fact[]> {
  return (await ask(demo, 'getLimits')).limits
}
