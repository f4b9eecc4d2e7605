import { afterEach, expect, test } from 'bun:test'
import type { PluginDeclaration } from '../../../../core/contracts/plugin'
import { definePlugin, Refusal, type SystemReads, where } from '../../../../core/doors/front'
import {
  BusinessLocation,
  type LocationCapacity,
  locationCapacity,
  Workspace,
} from '../../../../core/doors/records'
import { addLocation } from '../../../../core/tenancy/locations/add-location'
import { activateOrSign } from '../../../../core/tenancy/locations/change-status'
import { testLocationCapacity } from '../../../support/capacity-suite'
import { type Gate, startGate } from '../../../support/harness'

let gate: Gate
afterEach(() => gate.stop())

const refusal = () => new Refusal('conflict', 'There are no trials here.')

/** A limit of one location, as a stranger's plugin sets it. */
const limited = (activated: string[]): PluginDeclaration => {
  const oneAlone: LocationCapacity = {
    name: 'one-alone',
    async admit(ctx, { location }) {
      if ((await ctx.rows(BusinessLocation).count()) === 0) return { manual_notes: 'the first' }
      throw new Refusal('over_capacity', `There is no room for ${location.business_name}.`)
    },
    async admitCounted() {},
    async activated(_, __, before, after) {
      activated.push(`${before === null ? 'added' : 'activated'} ${after.business_name}`)
    },
    usage: async () => ({ paid: 1, used: 1, trialing: 0, exempt: 0 }),
    startTrial: () => Promise.reject(refusal()),
    cancelTrial: () => Promise.reject(refusal()),
  }
  return definePlugin({ name: 'limited', renown: '^1.0.0', provides: [locationCapacity.with(oneAlone)] })
}

const add = (business_name: string) =>
  addLocation(gate.owner, { workspace_id: gate.tenant.workspaceId, business_name })

test('a plugin decides which locations may be active, and hears of those that are', async () => {
  const activated: string[] = []
  gate = await startGate({ plugins: [limited(activated)] })
  const first = await add('First')
  expect(first).toMatchObject({ is_active: true, manual_notes: 'the first' })
  expect(activated).toEqual(['added First'])
  await expect(add('Second')).rejects.toMatchObject({ code: 'over_capacity' })
  expect(await gate.owner.rows(BusinessLocation).count()).toBe(1)
})

test('all locations may be active without such a plugin', async () => {
  gate = await startGate({ plugins: [] })
  const { id } = await add('First')
  expect(await activateOrSign(gate.owner, id, 'activate')).toMatchObject({ is_active: true })
  expect(await add('Second')).toMatchObject({ is_active: true })
})

/** A limit that is the same for every agency, without trials, as a stranger's plugin sets it. */
function flatLimit(most: Map<string, number>): LocationCapacity {
  const usage = async (ctx: SystemReads, agencyId: string) => {
    const workspaces = await ctx.rows(Workspace).list({ where: where.eq('agency_id', agencyId) })
    const inside = where.in(
      'workspace_id',
      workspaces.map(({ id }) => id),
    )
    const active = where.and(inside, where.eq('is_active', true), where.ne('is_demo', true))
    const rows = await ctx.rows(BusinessLocation).list({ where: active })
    const exempt = rows.filter((row) => row.billing_exempt === true).length
    return { paid: most.get(agencyId) ?? null, used: rows.length - exempt, trialing: 0, exempt }
  }
  const refuseMore: LocationCapacity['admitCounted'] = async (ctx, agencyId, { business_name }) => {
    const { paid, used } = await usage(ctx, agencyId)
    if (paid !== null && used >= paid)
      throw new Refusal('over_capacity', `There is no room for ${business_name}.`)
  }
  return {
    name: 'flat-limit',
    async admit(ctx, { agencyId, location }) {
      if (location.billing_exempt !== true) await refuseMore(ctx, agencyId, location as never)
      return {}
    },
    admitCounted: refuseMore,
    async activated() {},
    usage,
    startTrial: () => Promise.reject(refusal()),
    cancelTrial: () => Promise.reject(refusal()),
  }
}

const most = new Map<string, number>()
testLocationCapacity({
  plugin: definePlugin({
    name: 'flat',
    renown: '^1.0.0',
    provides: [locationCapacity.with(flatLimit(most))],
  }),
  name: 'flat-limit',
  hasTrials: false,
  async limit(_, agencyId, locations) {
    most.set(agencyId, locations)
  },
})
