import type { DemoRow, DemoWorld } from '../../contracts/demo'
import { ProspectAudit } from '../ProspectAudit'

type Audit = DemoRow<typeof ProspectAudit>

const states = ['completed', 'running', 'failed', 'queued'] as const

/** One look at each prospect, each as far as another. */
export const audits = (world: DemoWorld): Audit[] =>
  world.prospects.map((business, place): Audit => {
    const status = states[place % states.length] as Audit['status']
    const base = {
      id: world.id(ProspectAudit, business.key),
      workspace_id: business.workspace_id,
      location_id: business.id,
      business_name: business.name,
      website: `https://${business.domain}`,
      status,
      created_date: world.at(20 - place * 6),
    }
    if (status === 'completed') return { ...base, ...found, completed_at: world.at(20 - place * 6, 9.2) }
    if (status === 'failed') {
      const completed_at = world.at(20 - place * 6, 9.1)
      return { ...base, completed_at, error: 'The website could not be found: its name does not resolve.' }
    }
    return base
  })

const found = {
  score: 54,
  findings: {
    reviews: { rating: 3.4, answered_share: 0.12 },
    profile: { missing: ['opening hours', 'services'] },
    visibility: { engines_that_name_it: 1, engines_asked: 5 },
    traffic: { beacon: false },
    mentions: { last_90_days: 6 },
  },
}
