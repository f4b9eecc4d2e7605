import type { Day } from '../../../../plugins/traffic/records/days'

/** A daily row with nothing on it but what is given. */
export function dayOf(given: Partial<Day>): Day {
  const site_id = given.site_id ?? 'sit_1'
  const date = given.date ?? '2026-01-01'
  return {
    id: `${site_id}:${date}`,
    workspace_id: 'wsp_1',
    created_date: `${date}T00:00:00.000Z`,
    updated_date: `${date}T00:00:00.000Z`,
    location_id: 'loc_1',
    crawler_hits: 0,
    verified_hits: 0,
    spoofed_hits: 0,
    signed_hits: 0,
    unique_agents: 0,
    by_agent: {},
    by_category: { ai_answers: 0, search_index: 0, training: 0, other_ai: 0 },
    top_paths: [],
    paths_by_category: {},
    referral_visits: 0,
    by_referrer: {},
    referral_paths: [],
    ...given,
    site_id,
    date,
  }
}
