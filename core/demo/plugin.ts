import * as v from 'valibot'
import { AgentKey } from '../auth/AgentKey'
import { replaceKey } from '../auth/agent-keys'
import { Refusal } from '../contracts/errors'
import type { OwnerContext, PluginDeclaration } from '../contracts/plugin'
import type { QueueDeclaration } from '../contracts/queue'
import { defineCommand, definePlugin, field, where } from '../kit'
import { dayIn } from '../kit/periods'
import { Agency } from '../tenancy/Agency'
import { recordAudit } from '../tenancy/record-audit'
import { demoCommands } from './command-names'
import { demoContents } from './contents'
import { createDemo, findDemo, type ReportProgress, removeDemo } from './create'
import { type DemoSeed, demoSeed } from './world'

/** A seed. The names of a second demo's workspaces contain it. */
const seedText = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]{1,40}$/, 'one word of at most 40 letters, digits, _ and -'),
  v.description('Another seed creates a second demo agency with other data. Default renown'),
)
/** The queue that creates a demo in the background. */
export const demoQueue = 'create-demo'
/** The name of the lock under which a demo is created or removed. */
export const demoTurn = 'demo'

/**
 * Returns the plugin of the demo: its commands, and the queue with which pages create it, for the rows of the
 * given plugins.
 */
export function demoPlugin(plugins: readonly PluginDeclaration[]): PluginDeclaration {
  const creation: Creation = { progress: null }
  return definePlugin({
    name: 'demo',
    summary: 'Sample data to look at, and its removal',
    renown: '^1.0.0',
    queues: { [demoQueue]: createInBackground(plugins, creation) },
    commands: [create(plugins, creation), status(creation), remove(plugins)],
  })
}

/** The progress of creating a demo in this process. */
interface Creation {
  progress: Parameters<ReportProgress>[0] | null
}

/** Creates the demo in the background. An interrupted job starts again. */
const createInBackground = (plugins: readonly PluginDeclaration[], creation: Creation): QueueDeclaration => ({
  summary: 'Create the demo',
  payload: v.strictObject({}),
  attemptsMax: 3,
  run: (ctx, _, task) =>
    ctx.withLock(demoTurn, async () => {
      if ((await findDemo(ctx))?.is_active) return
      await createDemo(ctx, plugins, seedOf(ctx, {}), async (progress) => {
        creation.progress = progress
        await task.progress(progress)
      }).finally(() => {
        creation.progress = null
      })
    }),
})

const seedOf = (
  ctx: OwnerContext,
  { seed = demoSeed, today }: { readonly seed?: string; readonly today?: string | undefined },
): DemoSeed => ({ seed, today: today ?? dayIn('UTC', ctx.now()) })

const create = (plugins: readonly PluginDeclaration[], creation: Creation) =>
  defineCommand({
    name: demoCommands.create,
    summary: `Create a demo: a separate agency with sample data, and its key. ${demoContents}`,
    input: v.strictObject({
      seed: v.optional(seedText, demoSeed),
      today: v.optional(field.day('Last UTC day of the data. Default today')),
    }),
    secrets: ['agent_key'],
    run: (ctx, input) =>
      ctx.withLock(demoTurn, () =>
        makeDemo(ctx, plugins, input, (progress) => {
          creation.progress = progress
        }).finally(() => {
          creation.progress = null
        }),
      ),
  })

const status = (creation: Creation) =>
  defineCommand({
    name: demoCommands.status,
    summary: 'Show whether a demo is loaded, and the progress of its creation',
    input: v.strictObject({}),
    async run(ctx) {
      const agency = await findDemo(ctx)
      if (creation.progress) return { state: 'creating', ...creation.progress }
      if (agency?.is_active) return { state: 'loaded', holds: demoContents }
      return { state: agency ? 'incomplete' : 'none' }
    },
  })

const remove = (plugins: readonly PluginDeclaration[]) =>
  defineCommand({
    name: 'demo remove',
    summary: 'Remove every demo and everything that was created in it, and nothing else',
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
  tell?: ReportProgress,
) {
  const { world, counts } = await createDemo(ctx, plugins, seedOf(ctx, { seed, today }), tell)
  await noteDemo(ctx, 'workspace.demo')
  const { token } = await replaceKey(ctx.rows(AgentKey), world.agency_id, ctx.now())
  return {
    agency_id: world.agency_id,
    workspaces: world.workspaces.map(({ id, name }) => ({ id, name })),
    agent_key: token,
    holds: demoContents,
    rows: counts,
  }
}

/** Removes the demo. Null if there is none. */
export async function endDemo(ctx: OwnerContext, plugins: readonly PluginDeclaration[]) {
  const removed = await ctx.withLock(demoTurn, () => removeDemo(ctx, plugins))
  if (removed) await noteDemo(ctx, 'workspace.demo_remove')
  return removed
}

/** Records the demo in the audit log of the oldest agency, because the demo's own log is removed with it. */
export async function noteDemo(ctx: OwnerContext, action: 'workspace.demo' | 'workspace.demo_remove') {
  const [own] = await ctx.rows(Agency).list({
    where: where.ne('is_demo', true),
    sort: [{ field: 'created_date', direction: 'asc' }],
    limit: 1,
  })
  if (own) await recordAudit(ctx, own.id, action, 'Demo')
}
