import { defineEntity, field, ours } from 'renown'
import { trafficCategories } from 'renown/traffic'
import * as v from 'valibot'

const { code, day, integer, text } = field
const hits = (description: string) => integer(description, { min: 0 })

const agent = v.object({
  hits: hits('Hits of the agent'),
  verified: hits("Those from inside the operator's published ranges, or with its signature"),
  spoofed: hits('Number of hits from other addresses'),
  category: v.picklist(trafficCategories),
  operator: ours(text('Who runs the agent')),
  signed: v.optional(hits('Verified hits with a valid signature. Absent if there are none')),
  with_status: v.optional(
    hits('Hits with a known HTTP status, without spoofed ones. Absent if there are none'),
  ),
  client_errors: v.optional(hits('Those that got a 4xx')),
  server_errors: v.optional(hits('Those that got a 5xx')),
  disallowed: v.optional(hits('Hits on paths that robots.txt disallowed. Absent if there are none')),
})

const verifiedBy = v.object({
  address: hits('Verified only by their address'),
  signature: hits('Verified only by their signature'),
  both: hits('Verified by both'),
})

const signer = v.object({
  verified: hits('Hits with a valid signature of the signer'),
  spoofed: hits('Hits with a false one'),
})

const crawlerError = v.object({
  path: text('Path without query'),
  agent: code('Agent that got the error'),
  status: hits('HTTP status, 400 to 599'),
  hits: hits('Such answers, without spoofed hits'),
  verified: hits('Those to verified hits'),
})

const byCategory = v.object({
  ai_answers: hits('Fetched to answer a person right now, which is closest to an impression'),
  search_index: hits('Fetched for the index of an AI search'),
  training: hits('Fetched to train models'),
  other_ai: hits('Fetched by another AI agent'),
})

const path = v.object({ path: text('Path without query'), hits: hits('Hits on it') })
const visitedPath = v.object({ path: text('Path without query'), visits: hits('Visits that began there') })
const disallowedPath = v.object({
  path: text('Path without query'),
  agent: code('Agent that fetched it'),
  rule: text('Rule of the robots.txt'),
  hits: hits('Hits without spoofed ones'),
  verified: hits('Verified hits'),
})
const robotsCheck = v.object({
  judged: hits('Hits that were judged, without spoofed ones'),
  disallowed: hits('Those on paths that robots.txt disallowed for the agent'),
  verified: hits('Verified ones of those'),
  most: v.pipe(v.array(disallowedPath), v.description('The most fetched of these paths, at most 50')),
})
const agentPath = v.object({
  agent: code('Agent'),
  path: text('Path without query'),
  hits: hits('Hits on it'),
})
const pathList = v.pipe(v.array(path), v.description('Descending by hits, ties by path'))

/** One daily rollup row per site, id `<site_id>:<date>`. Unchecked hits = crawler_hits − verified_hits − spoofed_hits. */
export const AiTrafficDaily = defineEntity({
  name: 'AiTrafficDaily',
  summary: 'AI crawler hits and visits from AI assistants: one row per site and day',
  idPrefix: 'sit',
  store: 'columns',
  scope: { by: 'site', field: 'site_id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    site_id: code('Site the row is about'),
    location_id: code('Business location of the site'),
    date: day("Day in the site's time zone"),
    crawler_hits: hits('Hits of identifiable AI agents'),
    verified_hits: hits(
      "Hits from an IP address in the operator's published ranges, or with its signature. The address is checked on arrival and never stored",
    ),
    spoofed_hits: hits(
      "Hits from an IP address outside the operator's published ranges, or with a false signature",
    ),
    signed_hits: hits('Verified hits with a valid signature (Web Bot Auth)'),
    verified_by: v.optional(
      v.pipe(verifiedBy, v.description('What verified the hits. Absent if the day has no signed hits')),
    ),
    by_signer: v.optional(
      v.pipe(
        v.record(v.string(), signer),
        v.description('Signed hits by the host of the signer. Absent if the day has none'),
      ),
    ),
    unique_agents: hits('Number of different agents'),
    by_agent: v.pipe(
      v.record(v.string(), agent),
      v.description('Hits by agent name. Traffic of unknown agents is not counted'),
    ),
    by_category: v.pipe(byCategory, v.description('Hits by the purpose of the fetch')),
    top_paths: v.pipe(v.array(path), v.description('The most crawled paths, most first, at most 25')),
    paths_by_category: v.pipe(
      v.object({
        ai_answers: v.optional(pathList),
        search_index: v.optional(pathList),
        training: v.optional(pathList),
        other_ai: v.optional(pathList),
      }),
      v.description('The most crawled paths by category, most first, at most 12 each'),
    ),
    crawler_errors: v.optional(
      v.pipe(
        v.array(crawlerError),
        v.description(
          'The most frequent errors that crawlers got, at most 50. Empty also if no status is known',
        ),
      ),
    ),
    robots_check: v.optional(
      v.pipe(
        robotsCheck,
        v.description('Hits judged by the robots.txt of the day. Absent if it is not known'),
      ),
    ),
    agent_paths: v.optional(
      v.pipe(
        v.array(agentPath),
        v.description('The most crawled paths by agent, without spoofed hits, at most 10 each'),
      ),
    ),
    referral_visits: hits('People who clicked through from an AI assistant. Only the beacon counts them'),
    by_referrer: v.pipe(v.record(v.string(), v.number()), v.description("Visits by the assistant's host")),
    referral_paths: v.pipe(
      v.array(visitedPath),
      v.description('Paths where those visits started, most visited first, at most 25'),
    ),
  },
  opaque: [
    'verified_by',
    'by_signer',
    'by_agent',
    'top_paths',
    'paths_by_category',
    'crawler_errors',
    'robots_check',
    'agent_paths',
    'by_referrer',
    'referral_paths',
  ],
  // Agents read it as pages of `getTopCrawledPages`.
  hidden: ['agent_paths'],
  sortable: [
    'date',
    'crawler_hits',
    'verified_hits',
    'spoofed_hits',
    'signed_hits',
    'unique_agents',
    'referral_visits',
    'created_date',
    'updated_date',
  ],
  defaultSort: '-date',
})
