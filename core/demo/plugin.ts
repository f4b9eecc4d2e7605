import * as v from 'valibot'
import { AgentKey } from '../auth/AgentKey'
import { replaceKey } from '../auth/agent-keys'
import type { ActRecord } from '../contracts/act'
import { Refusal } from '../contracts/errors'
import type { OwnerContext, PluginDeclaration } from '../contracts/plugin'
import type { QueueDeclaration } from '../contracts/queue'
import { actCommands, defineAct, defineCommand, definePlugin, field, where } from '../kit'
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
    commands: [...actCommands([create(plugins, creation), demoRemoval(plugins)]), status(creation)],
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

/**
 * The agency of the installation. Its audit log has the demo, because that of the demo is removed with it. Only its
 * people have the demo on pages.
 */
const onFirstAgency: ActRecord<typeof Agency> = {
  entity: Agency,
  field: 'agency_id',
  called: 'agency',
  inShell: {
    fields: {},
    async find(ctx) {
      const agency = await firstAgency(ctx)
      if (agency) return agency
      throw new Refusal('not_found', 'There is no agency yet.', {
        hint: 'Create one with `renown agency create`.',
      })
    },
  },
  ofPerson: ({ person }) => person.agency_id,
}

const create = (plugins: readonly PluginDeclaration[], creation: Creation) =>
  defineAct({
    name: demoCommands.create,
    summary: `Create a demo: a separate agency with sample data, and its key. ${demoContents}`,
    on: onFirstAgency,
    fields: {
      seed: v.optional(seedText, demoSeed),
      today: v.optional(field.day('Last UTC day of the data. Default today')),
    },
    secrets: ['agent_key'],
    isShellOnly: true,
    undo: 'demo remove',
    recordedByRun: ['workspace.demo'],
    run: (ctx, { input }) =>
      ctx.withLock(demoTurn, async () => {
        const answer = await makeDemo(ctx, plugins, input, (progress) => {
          creation.progress = progress
        }).finally(() => {
          creation.progress = null
        })
        return { answer }
      }),
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

/** Returns the act that removes every demo. */
export const demoRemoval = (plugins: readonly PluginDeclaration[]) =>
  defineAct({
    name: 'demo remove',
    summary: 'Remove every demo and everything that was created in it, and nothing else',
    on: onFirstAgency,
    only: 'owner',
    label: 'Remove the demo',
    done: 'The demo is removed.',
    undo: demoCommands.create,
    audit: { action: 'workspace.demo_remove', what: 'Demo removed' },
    async run(ctx) {
      const answer = await ctx.withLock(demoTurn, () => removeDemo(ctx, plugins))
      if (!answer) throw new Refusal('not_found', 'The demo is not loaded.')
      return { answer, subject: 'Demo' }
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
  await noteDemo(ctx)
  const { token } = await replaceKey(ctx.rows(AgentKey), world.agency_id, ctx.now())
  return {
    agency_id: world.agency_id,
    workspaces: world.workspaces.map(({ id, name }) => ({ id, name })),
    agent_key: token,
    holds: demoContents,
    rows: counts,
  }
}

/** Records in the audit log of the installation's agency that the demo was made. */
export async function noteDemo(ctx: OwnerContext) {
  const own = await firstAgency(ctx)
  if (own) await recordAudit(ctx, own.id, 'workspace.demo', 'Demo')
}

/** Returns the oldest agency, which the first start created. */
async function firstAgency(ctx: OwnerContext) {
  const [own] = await ctx.rows(Agency).list({
    where: where.ne('is_demo', true),
    sort: [{ field: 'created_date', direction: 'asc' }],
    limit: 1,
  })
  return own ?? null
}
