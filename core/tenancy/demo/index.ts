import type { DemoDeclaration, DemoWorld } from '../../contracts/demo'
import { demoRows } from '../../kit'
import { Agency } from '../Agency'
import { BusinessLocation } from '../BusinessLocation'
import { Notification } from '../news/Notification'
import { SyncStatus } from '../news/SyncStatus'
import { User } from '../User'
import { Workspace } from '../Workspace'
import { clients, inactive, pitched } from './locations'
import { news } from './news'
import { syncs } from './syncs'

const begunDaysAgo = 760

/** The agency and the workspaces of the demo. The agency comes first, because it identifies the others. */
export const tenancyDemo: DemoDeclaration = {
  rows: (world) => [
    demoRows(Agency, [agency(world)]),
    demoRows(User, [owner(world)]),
    demoRows(Workspace, workspaces(world)),
    demoRows(BusinessLocation, [...clients(world), ...pitched(world)]),
    demoRows(SyncStatus, syncs(world)),
    demoRows(Notification, news(world)),
  ],
}

const agency = ({ agency_id: id, at, label }: DemoWorld) => ({
  id,
  workspace_id: id,
  name: `Lantern Street Agency (${label})`,
  is_platform: false,
  is_demo: true,
  is_active: true,
  paid_capacity: 10,
  created_date: at(begunDaysAgo),
})

const owner = (world: DemoWorld) => ({
  id: world.id(User, 'owner'),
  workspace_id: world.agency_id,
  agency_id: world.agency_id,
  role: 'owner' as const,
  name: 'Demo owner',
  is_active: true,
  created_date: world.at(begunDaysAgo),
})

const workspaces = ({ workspaces, businesses, agency_id, at }: DemoWorld) =>
  workspaces.map(({ id, name, timezone, locale }, place) => {
    const here = businesses.filter(({ workspace_id }) => workspace_id === id)
    return {
      id,
      workspace_id: id,
      name,
      agency_id,
      is_home: place === 0,
      timezone,
      locale,
      plan: 'demo',
      locations_count: here.length,
      active_locations_count: here.filter(({ key }) => !inactive.has(key)).length,
      is_demo: true,
      is_active: true,
      created_date: at(begunDaysAgo - place),
    }
  })
