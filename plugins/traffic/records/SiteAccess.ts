import { defineEntity, field, type Row } from 'renown'
import * as v from 'valibot'

const { flag, instant, integer, oneOf, text } = field
const count = (description: string) => integer(description, { min: 0 })
const maybe = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema))
const described = <S extends v.GenericSchema>(description: string, schema: S) =>
  maybe(v.pipe(schema, v.description(description)))

/** Hits of one agent on one file. */
const fetches = v.array(
  v.object({
    agent: text('Agent'),
    hits: count('Hits without spoofed ones'),
    verified: count('Verified hits'),
  }),
)

const coverage = v.object({
  date_from: field.day('First day of the comparison'),
  date_to: field.day('Last day'),
  pages: count('Pages of the sitemap'),
  never: count('Those that no crawler fetched'),
  never_paths: v.array(text('Path that no crawler fetched')),
  agents: v.array(
    v.object({
      agent: text('Agent that came'),
      fetched: count('Pages of the sitemap that it fetched'),
      missing: v.array(text('Path that it did not fetch')),
    }),
  ),
})

/** Internal: what a site lets crawlers read, from the last check of its robots.txt, llms.txt and sitemap. */
export const SiteAccess = defineEntity({
  name: 'SiteAccess',
  summary: "The last check of a site's robots.txt, llms.txt and sitemap",
  idPrefix: 'sac',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: 'nobody',
  fields: {
    workspace_id: text('Workspace of the site'),
    location_id: text('Business location of the site'),
    site_id: text('The site'),
    next_check_at: instant('When the next check is due'),
    checked_at: maybe(instant('When the last check ended')),
    robots: described(
      'The robots.txt, or null before the first check',
      v.object({
        state: oneOf(['read', 'absent', 'unreadable'], 'What the last check found'),
        fault: v.optional(text('Why it could not be read')),
        is_cut: v.optional(flag('Whether it is longer than the 500 KiB that crawlers read')),
        host: v.optional(text('The host whose file it is. Hits of all hosts of the site are judged by it')),
        read_at: maybe(instant('When it was last read, or found to be absent')),
      }),
    ),
    llms: described(
      'The llms.txt, or null before the first check',
      v.object({
        state: oneOf(['valid', 'invalid', 'absent', 'unreadable'], 'What the last check found'),
        fault: v.optional(text('What is wrong with it')),
        fetches: v.pipe(fetches, v.description('Agents that fetched it in the days of the comparison')),
      }),
    ),
    sitemap: described(
      'The sitemap, or null before the first check',
      v.object({
        state: oneOf(['read', 'partial', 'absent', 'unreadable'], 'What the last check found'),
        fault: v.optional(text('Why it could not be read')),
        coverage: maybe(coverage),
      }),
    ),
  },
  sortable: ['next_check_at', 'created_date'],
  defaultSort: 'next_check_at',
  indexes: [{ on: ['site_id'], unsafeUniqueAcrossTenants: true }, { on: ['next_check_at'] }],
})
export type Access = Row<typeof SiteAccess>
export type Coverage = v.InferOutput<typeof coverage>
