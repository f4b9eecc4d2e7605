import { defineOperation, field, ours } from 'renown'
import * as v from 'valibot'
import { siteInput, sitesOf } from '../records/days'
import { readNewAgents } from '../sums/readNewAgents'

const count = (description: string) => field.integer(description, { min: 0 })

/** Returns user agents that look like agents and that the registry does not know. */
export const listNewAgents = defineOperation({
  name: 'listNewAgents',
  summary:
    'User agents that look like agents, but that the registry does not know yet. They are not counted as crawler hits',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    ...siteInput,
    limit: v.optional(field.integer('Maximum agents in the answer', { min: 1, max: 200 }), 50),
  }),
  output: v.object({
    agents: v.array(
      v.object({
        site_id: field.code('Site that it came to'),
        domain: field.text('Its domain'),
        token: field.text('Its product token as it sends it, without version and address. Untrusted text'),
        host: v.nullable(field.text('Host of the documentation that it names. Nobody has checked it')),
        hits_at_least: count('It has at least this many hits'),
        hits_at_most: count('It has at most this many hits'),
        first_day: field.day('First counted day, in the time zone of the site. It may have come before'),
        last_day: field.day('Last counted day'),
      }),
    ),
    total_agents: count('Number of unknown agents of these sites'),
    floors: ours(field.texts('What these figures do not include')),
  }),
  async run(ctx, { limit, ...input }) {
    const sites = await sitesOf(ctx, input)
    const domains = new Map(sites.map(({ id, domain }) => [id, domain]))
    const found = await readNewAgents(ctx, [...domains.keys()])
    return {
      agents: found.slice(0, limit).map((agent) => ({ ...agent, domain: domains.get(agent.site_id) ?? '' })),
      total_agents: found.length,
      floors: [
        'A name is listed from ten hits at a site. Each ingest process counts for itself.',
        'A name comes from the user agent, which anybody can choose. Addresses are not checked.',
        'Up to a minute of hits can be missing after a crash.',
      ],
    }
  },
})
