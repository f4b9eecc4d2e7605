import {
  defineOperation,
  field,
  ours,
  periodInput,
  periodOf,
  periodSchema,
  type ReadContext,
  Refusal,
  type Where,
  where,
} from 'renown'
import { normaliseDomain } from 'renown/sources'
import * as v from 'valibot'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { assistantHosts, hostsNamed, nearestAssistant } from '../records/assistants'
import { daysWhere, refuseTooMany, siteInput, sitesOf, todayOf } from '../records/days'
import { countedSince, isCounted, uncountedFloor } from '../sums/countedSince'
import { newLandingPages } from '../sums/referral-pages'

const count = (description: string) => field.integer(description, { min: 0 })

const byAssistant = v.array(
  v.object({
    host: field.code('Host of the assistant'),
    visits: count('Visits from there'),
    previous_visits: count('Visits in the previous period'),
  }),
)

/** Returns the pages where visits from AI assistants begin. */
export const getReferralPages = defineOperation({
  name: 'getReferralPages',
  summary: 'Pages to which AI assistants send people, compared with the previous period',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    ...periodInput,
    ...siteInput,
    assistant: v.optional(field.text('Only visits from this assistant, such as ChatGPT or chatgpt.com')),
    limit: v.optional(field.integer('Maximum pages in the answer', { min: 1, max: 100 }), 25),
  }),
  output: v.object({
    period: periodSchema('The requested period. Default 28 days'),
    previous_period: periodSchema('The period of the same length before it'),
    complete: field.flag('The last day of the period is over at every site'),
    referral_visits: count('All visits from AI assistants in the period, or from the requested one'),
    previous_visits: count('The same in the previous period'),
    by_assistant: v.pipe(byAssistant, v.description('Visits by assistant, most first')),
    pages: v.array(
      v.object({
        site_id: field.code('Site of the page'),
        domain: field.text('Its domain'),
        path: field.text('Path without query'),
        visits: count('Minimum number of visits that began there'),
        visits_at_most: count('Maximum number, including what the lists of the days leave open'),
        days: count('Days whose list contains the page'),
        previous_visits: count('visits in the previous period'),
        from_at_least: v.pipe(
          v.array(
            v.object({ host: field.code('Host of the assistant'), visits: count('At least this many') }),
          ),
          v.description('Visits that certainly came from an assistant'),
        ),
      }),
    ),
    total_pages: count('Number of pages in the lists of the period'),
    floors: ours(field.texts('What these figures do not include')),
  }),
  async run(ctx, { assistant, limit, ...input }) {
    const sites = await sitesOf(ctx, input)
    const today = todayOf(ctx, sites)
    const { period, previous } = periodOf(input, { today: today.latest, days: 28 })
    const hosts = assistant === undefined ? undefined : (hostsNamed(assistant) ?? hostIn(assistant))
    const [now, before, since] = await Promise.all([
      landingPages(ctx, daysWhere(input, period), hosts),
      landingPages(ctx, daysWhere(input, previous), hosts),
      countedSince(ctx, input),
    ])
    if (assistant !== undefined)
      refuseUnknown(assistant, [...now.byAssistant.keys(), ...before.byAssistant.keys()])
    const pages = now.sorted().filter(({ visits, hidden }) => visits + hidden > 0)
    const earlier = new Map(before.sorted().map((page) => [keyOf(page), page.visits]))
    const domains = new Map(sites.map(({ id, domain }) => [id, domain]))
    const complete = period.date_to < today.earliest
    const visits = visitsOf(now.byAssistant, hosts)
    return {
      period,
      previous_period: previous,
      complete,
      referral_visits: visits,
      previous_visits: visitsOf(before.byAssistant, hosts),
      by_assistant: assistantsOf(now.byAssistant, before.byAssistant),
      pages: pages.slice(0, limit).map((page) => ({
        site_id: page.site_id,
        domain: domains.get(page.site_id) ?? '',
        path: page.path,
        visits: page.visits,
        visits_at_most: Math.min(visits, page.visits + page.hidden),
        days: page.days,
        previous_visits: earlier.get(keyOf(page)) ?? 0,
        from_at_least: sorted(page.fromAtLeast).map(([host, least]) => ({ host, visits: least })),
      })),
      total_pages: pages.length,
      floors: [
        'A daily row lists the 25 pages with most visits. It counts visits by page and by assistant, but not by both.',
        'Visits are a lower limit: apps and some browsers send no referrer, and only pages with the beacon count.',
        ...(complete ? [] : ['The last day is not over, and previous_visits include only whole days.']),
        ...uncountedFloor(isCounted(since.visits, previous)),
      ],
    }
  },
})

/** A newer registry than that of this release has further hosts. */
function hostIn(text: string): readonly string[] {
  const host = normaliseDomain(text)
  return host === null ? [] : [host]
}

/** Throws for an assistant that nobody knows, because its 0 visits would look like a figure. */
function refuseUnknown(text: string, hosts: readonly string[]): void {
  if (hostsNamed(text) || hostIn(text).some((host) => hosts.includes(host))) return
  const allowed = [...new Set([...Object.keys(assistantHosts), ...hosts])]
  const meant = nearestAssistant(text, hosts)
  const message = 'is not an assistant, or a host of one'
  throw new Refusal('invalid_field', `The field assistant ${message}.`, {
    errors: [
      {
        pointer: '/assistant',
        code: 'invalid',
        message,
        allowed,
        ...(meant === undefined ? {} : { did_you_mean: meant }),
      },
    ],
  })
}

const keyOf = ({ site_id, path }: { readonly site_id: string; readonly path: string }) => `${site_id} ${path}`

/** Number of rows that can be read without blocking the event loop for more than some milliseconds. */
const rowsAtOnce = 500

async function landingPages(ctx: ReadContext, days: Where, hosts: readonly string[] | undefined) {
  const rows = ctx.rows(AiTrafficDaily)
  const visited = where.and(days, where.gt('referral_visits', 0))
  refuseTooMany(await rows.count(visited))
  const pages = newLandingPages(hosts)
  const read = rows.pages({
    where: visited,
    fields: ['site_id', 'referral_visits', 'by_referrer', 'referral_paths'],
    by: ['site_id', 'id'],
    size: rowsAtOnce,
  })
  for await (const page of read) pages.add(page)
  return pages
}

function visitsOf(byAssistant: ReadonlyMap<string, number>, hosts: readonly string[] | undefined): number {
  if (hosts !== undefined) return hosts.reduce((sum, host) => sum + (byAssistant.get(host) ?? 0), 0)
  return [...byAssistant.values()].reduce((sum, visits) => sum + visits, 0)
}

const assistantsOf = (now: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>) =>
  sorted(new Map([...[...before.keys()].map((host) => [host, 0] as const), ...now])).map(
    ([host, visits]) => ({
      host,
      visits,
      previous_visits: before.get(host) ?? 0,
    }),
  )

/** Sorts by count, then by name. */
const sorted = (sums: ReadonlyMap<string, number>) =>
  [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
