import * as v from 'valibot'
import { AgentKey } from '../auth/AgentKey'
import { replaceKey } from '../auth/agent-keys'
import { Refusal } from '../contracts/errors'
import type { OwnerContext, PluginDeclaration } from '../contracts/plugin'
import { defineCommand, definePlugin, field, where } from '../kit'
import { dayIn } from '../kit/periods'
import { Agency } from '../tenancy/Agency'
import { recordAudit } from '../tenancy/record-audit'
import { createDemo, removeDemo } from './create'

/** The default seed of a demo. */
export const demoSeed = 'renown'

/** The two commands of the demo, for the rows of the given plugins. */
export function demoPlugin(plugins: readonly PluginDeclaration[]): PluginDeclaration {
  return definePlugin({
    name: 'demo',
    summary: 'Sample data to look at, and its removal',
    renown: '^1.0.0',
    commands: [create(plugins), remove(plugins)],
  })
}

const create = (plugins: readonly PluginDeclaration[]) =>
  defineCommand({
    name: 'demo create',
    summary: 'Create a demo: a separate agency with sample data, marked as such, and its key',
    input: v.strictObject({
      seed: v.optional(field.text('Another seed makes other data. Default renown'), demoSeed),
      today: v.optional(field.day('Day that the data ends on, UTC. Default today')),
    }),
    secrets: ['agent_key'],
    run: (ctx, input) => makeDemo(ctx, plugins, input),
  })

const remove = (plugins: readonly PluginDeclaration[]) =>
  defineCommand({
    name: 'demo remove',
    summary: 'Remove the demo and all that was made in it, and nothing else',
    input: v.strictObject({}),
    async run(ctx) {
      const removed = await endDemo(ctx, plugins)
      if (!removed) throw new Refusal('not_found', 'The demo is not loaded.')
      return removed
    },
  })

/** Creates the demo with its own key and returns what a person needs to view it. */
export async function makeDemo(
  ctx: OwnerContext,
  plugins: readonly PluginDeclaration[],
  { seed, today }: { readonly seed: string; readonly today?: string | undefined },
) {
  const { world, counts } = await createDemo(ctx, plugins, { seed, today: today ?? dayIn('UTC', ctx.now()) })
  await noteDemo(ctx, 'workspace.demo')
  const { token } = await replaceKey(ctx.rows(AgentKey), world.agency_id, ctx.now())
  return {
    agency_id: world.agency_id,
    workspaces: world.workspaces.map(({ id, name }) => ({ id, name })),
    agent_key: token,
    rows: counts,
  }
}

/** Removes the demo. Null when there is none. */
export async function endDemo(ctx: OwnerContext, plugins: readonly PluginDeclaration[]) {
  const removed = await removeDemo(ctx, plugins)
  if (removed) await noteDemo(ctx, 'workspace.demo_remove')
  return removed
}

/** The demo's own audit goes with it: whose installation it is reads of it in theirs, the oldest agency. */
async function noteDemo(ctx: OwnerContext, action: 'workspace.demo' | 'workspace.demo_remove') {
  const [own] = await ctx.rows(Agency).list({
    where: where.ne('is_demo', true),
    sort: [{ field: 'created_date', direction: 'asc' }],
    limit: 1,
  })
  if (own) await recordAudit(ctx, own.id, action, 'Demo')
}
