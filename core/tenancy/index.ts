import { definePlugin } from '../index'
import { Agency } from './Agency'
import { Workspace } from './Workspace'

export { Agency, Workspace }

/** Core's own plugin, declared like any other: whose rows they are. */
export const tenancy = definePlugin({
  name: 'tenancy',
  summary: 'Agencies, workspaces, business locations and people',
  renown: '^1.0.0',
  entities: [Agency, Workspace],
})
