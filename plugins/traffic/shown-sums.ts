import { type Period, shiftDay, type TrafficCategory, trafficCategories } from 'renown'
import type { Asked } from './asked'
import type { Day } from './days'
import { operatorOf } from './operators'

/** A page that was fetched, at least so often. */
export interface PathLine {
  readonly path: string
  readonly hits: number
  readonly category: TrafficCategory | null
}

interface Agent {
  readonly operator: string
  readonly category: TrafficCategory
  hits: number
  verified: number
  spoofed: number
}

/** Daily rows added up, as far as the filters let them. */
export interface Sums {
  hits: number
  verified: number
  spoofed: number
  readonly byDay: Map<string, Record<TrafficCategory, number>>
  readonly operators: Map<string, { hits: number; spoofed: number; visits: number }>
  readonly agents: Map<string, Agent>
  readonly paths: Map<string, { -readonly [K in keyof PathLine]: PathLine[K] }>
  readonly hosts: Map<string, number>
  readonly landing: Map<string, number>
}

/** Nothing yet, and every day of the period at 0: no row of a day that was counted means none. */
export function newSums({ date_from, days }: Period): Sums {
  const byDay = new Map<string, Record<TrafficCategory, number>>()
  for (let day = 0; day < days; day++) {
    byDay.set(shiftDay(date_from, day), { ai_answers: 0, search_index: 0, training: 0, other_ai: 0 })
  }
  const sums = { hits: 0, verified: 0, spoofed: 0, byDay, operators: new Map(), agents: new Map() }
  return { ...sums, paths: new Map(), hosts: new Map(), landing: new Map() }
}

/** Adds the row of a site's day. */
export function addDay(sums: Sums, day: Day, asked: Asked): void {
  const counts = sums.byDay.get(day.date)
  for (const [agent, told] of Object.entries(day.by_agent)) {
    if (asked.agent !== null && agent !== asked.agent) continue
    if (asked.operator !== null && told.operator !== asked.operator) continue
    if (asked.category !== null && told.category !== asked.category) continue
    sums.hits += told.hits
    sums.verified += told.verified
    sums.spoofed += told.spoofed
    if (counts) counts[told.category] += told.hits
    addAgent(sums, agent, told)
  }
  if (asked.agent === null && asked.category === null) addVisits(sums, day, asked)
  addPaths(sums, day, asked)
}

function addAgent({ agents, operators }: Sums, agent: string, told: Day['by_agent'][string]): void {
  const known = agents.get(agent)
  if (!known) agents.set(agent, { ...told })
  else {
    known.hits += told.hits
    known.verified += told.verified
    known.spoofed += told.spoofed
  }
  const operator = operators.get(told.operator) ?? { hits: 0, spoofed: 0, visits: 0 }
  operator.hits += told.hits
  operator.spoofed += told.spoofed
  operators.set(told.operator, operator)
}

/** Visits belong to an assistant's operator; a category or a crawler sends nobody by itself. */
function addVisits({ hosts, operators, landing }: Sums, day: Day, asked: Asked): void {
  for (const [host, visits] of Object.entries(day.by_referrer)) {
    const operator = operatorOf(host)
    if (asked.operator !== null && operator !== asked.operator) continue
    hosts.set(host, (hosts.get(host) ?? 0) + visits)
    if (operator === null) continue
    const line = operators.get(operator) ?? { hits: 0, spoofed: 0, visits: 0 }
    line.visits += visits
    operators.set(operator, line)
  }
  if (asked.operator !== null) return
  for (const { path, visits } of day.referral_paths) landing.set(path, (landing.get(path) ?? 0) + visits)
}

/** The lists that a day keeps: with a category its own, else the top of the day with the category it is mostly fetched for. */
function addPaths({ paths }: Sums, day: Day, { category }: Asked): void {
  const wanted = trafficCategories.find((known) => known === category)
  const listed = wanted ? (day.paths_by_category[wanted] ?? []) : day.top_paths
  for (const { path, hits } of listed) {
    const line = paths.get(path) ?? { path, hits: 0, category: wanted ?? categoryOf(day, path) }
    line.hits += hits
    paths.set(path, line)
  }
}

function categoryOf(day: Day, path: string): TrafficCategory | null {
  let most: { category: TrafficCategory; hits: number } | null = null
  for (const category of trafficCategories) {
    const found = day.paths_by_category[category]?.find((entry) => entry.path === path)
    if (found && found.hits > (most?.hits ?? 0)) most = { category, hits: found.hits }
  }
  return most?.category ?? null
}
