import { actCommands, defineCommand, field, where } from 'renown'
import * as v from 'valibot'
import { everySite } from './every-site'
import { proposeMapping, removeMapping, saveMapping, storedMapping } from './log-mapping'
import { removeSite } from './removeSite'
import { renameSite } from './renameSite'
import { createSite, rotateSiteToken } from './site-acts'

const listSites = defineCommand({
  name: 'site list',
  summary: 'List websites and whether hits arrive',
  input: v.strictObject({
    workspace_id: v.optional(field.text('Only sites of this workspace')),
    location_id: v.optional(field.text('Only sites of this business location')),
  }),
  async run(ctx, { workspace_id, location_id }) {
    const parts = Object.entries({ workspace_id, location_id }).flatMap(([name, value]) =>
      value === undefined ? [] : [where.eq(name, value)],
    )
    const sites = await everySite(ctx, where.and(...parts))
    return {
      sites: sites.map(
        ({
          id,
          forwarder_token_hash: _,
          handing_over: ___,
          is_read_remotely: ____,
          log_mapping,
          created_date,
          updated_date: __,
          ...site
        }) => ({
          site_id: id,
          ...site,
          log_mapping: storedMapping(log_mapping),
          created_date,
        }),
      ),
    }
  },
})

/** The commands of sites. */
export const siteCommands = [
  listSites,
  proposeMapping,
  ...actCommands([createSite, rotateSiteToken, renameSite, removeSite, saveMapping, removeMapping]),
]
