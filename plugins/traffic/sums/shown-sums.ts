import { type Period, shiftDay } from 'renown'
import { type TrafficCategory, trafficCategories } from 'renown/traffic'
import { type Operators, releaseOperators } from '../records/operators'
import type { PageDay } from './pageDays'
import type { DayCounts } from './summedDays'
import type { TrafficFilters } from './traffic-filters'

interface Agent {
  readonly operator: string
  readonly category: TrafficCategory
  hits: number
  verified: number
  spoofed: number
  signed: number
}

interface OperatorSums {
  hits: number
  verified: number
  spoofed: number
  signed: number
  visits: number
}

/** Summed daily rows, as far as the filters allow. */
export interface Sums {
  hits: number
  verified: number
  spoofed: number
  signed: number
  visits: number
  readonly byDay: Map<string, Record<TrafficCategory, number>>
  readonly visitsByDay: Map<string, number>
  readonly operators: Map<string, OperatorSums>
  readonly agents: Map<string, Agent>
  readonly hosts: Map<string, number>
  /** The operators of the hosts. */
  readonly known: Operators
}

/** Returns empty sums, with every day of the period at 0. */
export function newSums({ date_from, days }: Period, known: Operators = releaseOperators): Sums {
  const byDay = new Map<string, Record<TrafficCategory, number>>()
  const visitsByDay = new Map<string, number>()
  for (let day = 0; day < days; day++) {
    const date = shiftDay(date_from, day)
    byDay.set(date, { ai_answers: 0, search_index: 0, training: 0, other_ai: 0 })
    visitsByDay.set(date, 0)
  }
  const sums = { hits: 0, verified: 0, spoofed: 0, signed: 0, visits: 0, byDay, visitsByDay }
  return { ...sums, operators: new Map(), agents: new Map(), hosts: new Map(), known }
}

/** Adds the counts of a day. */
export function addDay(sums: Sums, day: DayCounts, asked: TrafficFilters): void {
  const counts = sums.byDay.get(day.date)
  for (const [agent, told] of Object.entries(day.by_agent)) {
    if (asked.agent !== null && agent !== asked.agent) continue
    if (asked.operator !== null && told.operator !== asked.operator) continue
    if (asked.category !== null && told.category !== asked.category) continue
    sums.hits += told.hits
    sums.verified += told.verified
    sums.spoofed += told.spoofed
    sums.signed += told.signed ?? 0
    if (counts) counts[told.category] += told.hits
    addAgent(sums, agent, told)
  }
  if (asked.agent === null && asked.category === null) addVisits(sums, day, asked)
}

/** Adds the counts of one page. Daily rows do not store its agents and referrers. */
export function addPageDay(sums: Sums, { date, hits, visits, by_category }: PageDay): void {
  sums.hits += hits
  addVisitsOf(sums, date, visits)
  const counts = sums.byDay.get(date)
  if (counts) for (const category of trafficCategories) counts[category] += by_category[category]
}

function addAgent({ agents, operators }: Sums, agent: string, told: DayCounts['by_agent'][string]): void {
  const known = agents.get(agent)
  if (!known) {
    const { operator, category, hits, verified, spoofed, signed = 0 } = told
    agents.set(agent, { operator, category, hits, verified, spoofed, signed })
  } else {
    known.hits += told.hits
    known.verified += told.verified
    known.spoofed += told.spoofed
    known.signed += told.signed ?? 0
  }
  const operator = operators.get(told.operator) ?? noSums()
  operator.hits += told.hits
  operator.verified += told.verified
  operator.spoofed += told.spoofed
  operator.signed += told.signed ?? 0
  operators.set(told.operator, operator)
}

/** Adds visits. They belong to an operator, so a filter by category or crawler excludes them. */
function addVisits(sums: Sums, day: DayCounts, asked: TrafficFilters): void {
  const { hosts, operators } = sums
  for (const [host, visits] of Object.entries(day.by_referrer)) {
    const operator = sums.known.operatorOf(host)
    if (asked.operator !== null && operator !== asked.operator) continue
    addVisitsOf(sums, day.date, visits)
    hosts.set(host, (hosts.get(host) ?? 0) + visits)
    if (operator === null) continue
    const line = operators.get(operator) ?? noSums()
    line.visits += visits
    operators.set(operator, line)
  }
}

function addVisitsOf(sums: Sums, date: string, visits: number): void {
  sums.visits += visits
  sums.visitsByDay.set(date, (sums.visitsByDay.get(date) ?? 0) + visits)
}

const noSums = (): OperatorSums => ({ hits: 0, verified: 0, spoofed: 0, signed: 0, visits: 0 })
