import { type TrafficCategory, trafficCategories } from 'renown/traffic'
import { releaseOperators } from '../records/operators'
import type { DayCounts } from './summedDays'

export interface Totals {
  crawler_hits: number
  verified_hits: number
  spoofed_hits: number
  signed_hits: number
  unchecked_hits: number
  unique_agents: number
  referral_visits: number
}

/** Answers to hits that were not spoofed. */
export interface AnswerTally {
  /** Such hits, with or without a known status. */
  hits: number
  with_status: number
  client_errors: number
  server_errors: number
}

export interface OperatorTally {
  readonly operator: string
  hits: number
  verified: number
  spoofed: number
  visits: number
  readonly agents: Map<string, AgentTally>
}

export interface AgentTally {
  readonly agent: string
  readonly category: TrafficCategory
  hits: number
  verified: number
  spoofed: number
}

export interface Tally {
  readonly totals: Totals
  readonly answers: AnswerTally
  readonly byCategory: Record<TrafficCategory, number>
  readonly byOperator: Map<string, OperatorTally>
  readonly byHost: Map<string, number>
  readonly byDate: Map<string, { crawler_hits: number; ai_answers: number; referral_visits: number }>
}

/** Sums daily rows. An agent on several days is one unique agent. */
export function tallyOf(days: readonly DayCounts[], { operatorOf } = releaseOperators): Tally {
  const tally: Tally = {
    totals: {
      crawler_hits: 0,
      verified_hits: 0,
      spoofed_hits: 0,
      signed_hits: 0,
      unchecked_hits: 0,
      unique_agents: 0,
      referral_visits: 0,
    },
    answers: { hits: 0, with_status: 0, client_errors: 0, server_errors: 0 },
    byCategory: { ai_answers: 0, search_index: 0, training: 0, other_ai: 0 },
    byOperator: new Map(),
    byHost: new Map(),
    byDate: new Map(),
  }
  const agents = new Set<string>()
  for (const day of days) {
    addTotals(tally, day)
    for (const [agent, counts] of Object.entries(day.by_agent)) {
      agents.add(agent)
      addAnswers(tally.answers, counts)
      addAgent(operatorIn(tally, counts.operator), agent, counts)
    }
    for (const [host, visits] of Object.entries(day.by_referrer)) {
      tally.byHost.set(host, (tally.byHost.get(host) ?? 0) + visits)
      const operator = operatorOf(host)
      if (operator !== null) operatorIn(tally, operator).visits += visits
    }
  }
  tally.totals.unique_agents = agents.size
  return tally
}

function addTotals({ totals, byCategory, byDate }: Tally, day: DayCounts) {
  totals.crawler_hits += day.crawler_hits
  totals.verified_hits += day.verified_hits
  totals.spoofed_hits += day.spoofed_hits
  totals.signed_hits += day.signed_hits
  totals.unchecked_hits += day.crawler_hits - day.verified_hits - day.spoofed_hits
  totals.referral_visits += day.referral_visits
  for (const category of trafficCategories) byCategory[category] += day.by_category[category] ?? 0
  const date = byDate.get(day.date) ?? { crawler_hits: 0, ai_answers: 0, referral_visits: 0 }
  date.crawler_hits += day.crawler_hits
  date.ai_answers += day.by_category.ai_answers ?? 0
  date.referral_visits += day.referral_visits
  byDate.set(day.date, date)
}

function operatorIn({ byOperator }: Tally, operator: string): OperatorTally {
  const known = byOperator.get(operator)
  if (known) return known
  const made = { operator, hits: 0, verified: 0, spoofed: 0, visits: 0, agents: new Map() }
  byOperator.set(operator, made)
  return made
}

/** Adds the answers to one agent. Rows of older versions have none. */
export function addAnswers(into: AnswerTally, counts: DayCounts['by_agent'][string]): void {
  into.hits += counts.hits - counts.spoofed
  into.with_status += counts.with_status ?? 0
  into.client_errors += counts.client_errors ?? 0
  into.server_errors += counts.server_errors ?? 0
}

function addAgent(into: OperatorTally, agent: string, counts: DayCounts['by_agent'][string]) {
  into.hits += counts.hits
  into.verified += counts.verified
  into.spoofed += counts.spoofed
  const none = { agent, category: counts.category, hits: 0, verified: 0, spoofed: 0 }
  const known = into.agents.get(agent) ?? none
  known.hits += counts.hits
  known.verified += counts.verified
  known.spoofed += counts.spoofed
  into.agents.set(agent, known)
}
