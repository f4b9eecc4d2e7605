import { insertPast } from '../contexts/past-rows'
import type { DemoEvent, DemoRows, DemoWorld } from '../contracts/demo'
import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import type { OwnerContext, PluginDeclaration } from '../contracts/plugin'
import type { Progress } from '../contracts/queue'
import { where } from '../contracts/where'
import { allTables } from '../registry/own-context'
import { confined } from '../registry/plugin-context'
import { Agency } from '../tenancy/Agency'
import { Workspace } from '../tenancy/Workspace'
import { eventLogs, eventsOf } from './demo-events'
import { type DemoSeed, demoWorld } from './world'

/** Returns every row of the demo for a seed and a day. The result is always the same. */
export const demoOf = (plugins: readonly PluginDeclaration[], seed: DemoSeed) => {
  const world = demoWorld(seed, plugins)
  const made = plugins.map((plugin) => ({ plugin, sets: setsOf(plugin, world) }))
  const events = made.flatMap(({ plugin, sets }) => eventsOf(plugin, world, sets))
  return { world, sets: [...made.flatMap(({ sets }) => sets), eventLogs(world, events)] }
}

/**
 * Returns the rows of a plugin for the demo. They must be inside the demo, because only those are found for removal.
 */
function setsOf(
  { name, demo, entities = [], tables = [] }: PluginDeclaration,
  world: DemoWorld,
): readonly DemoRows[] {
  const inside = new Set([world.agency_id, ...world.workspaces.map(({ id }) => id)])
  const names = new Set(entities.map((entity) => entity.name))
  const sets = demo?.rows(world) ?? []
  for (const set of sets) {
    // Compares names, because the registry and the demos have different objects for the same record type.
    const own = 'entity' in set ? names.has(set.entity.name) : tables.includes(set.table)
    if (!own) throw new Error(`The demo of ${name} has rows of another plugin`)
    const stray = set.rows.find((row) => !inside.has((row as { workspace_id?: string }).workspace_id ?? ''))
    if (stray) throw new Error(`The demo of ${name} has a row outside the demo's workspaces`)
  }
  return sets
}

/** Receives how many records of the demo are stored. */
export type ReportProgress = (progress: Required<Pick<Progress, 'done' | 'total'>>) => Promise<void> | void

/** Number of stored records between two reports of progress. */
const chunk = 400

/**
 * Writes the demo to the stores. Its agency becomes active last, so that an interrupted demo is recognized
 * and created again.
 */
export async function createDemo(
  ctx: OwnerContext,
  plugins: readonly PluginDeclaration[],
  seed: DemoSeed,
  tell: ReportProgress = () => {},
) {
  const world = demoWorld(seed, plugins)
  const standing = await allDemos(ctx)
  if (standing.some(({ id, is_active }) => is_active && id === world.agency_id)) {
    throw new Refusal(
      'conflict',
      'The demo is already loaded. Remove it with `bun renown demo remove`, or add a second one with another `--seed`.',
    )
  }
  for (const { id, is_active } of standing) if (!is_active) await removeOne(ctx, plugins, id)
  const sets: DemoRows[] = []
  const events: DemoEvent[] = []
  for (const plugin of plugins) {
    const own = setsOf(plugin, world)
    sets.push(...own)
    events.push(...eventsOf(plugin, world, own))
    // Lets other requests run between the parts, each of which takes up to a second.
    await Bun.sleep(0)
  }
  sets.push(eventLogs(world, events))
  const total = sets.reduce((sum, { rows }) => sum + rows.length, 0)
  let done = 0
  for (const set of sets) {
    for (let from = 0; from < set.rows.length; from += chunk) {
      const rows = set.rows.slice(from, from + chunk)
      await put(ctx, asleep({ ...set, rows } as DemoRows))
      done += rows.length
      await tell({ done, total })
    }
  }
  await ctx.rows(Agency).update(world.agency_id, { is_active: true })
  announce(ctx, plugins)
  return { world, counts: countsOf(sets) }
}

/**
 * Removes everything in the workspaces of all demos, including what callers added, and each agency last. A later
 * call finishes an interrupted removal. Null if there is no demo.
 */
export async function removeDemo(ctx: OwnerContext, plugins: readonly PluginDeclaration[]) {
  const [first, ...others] = await allDemos(ctx)
  if (!first) return null
  const sums = await removeOne(ctx, plugins, first.id)
  for (const { id } of others) {
    const { workspaces, removed } = await removeOne(ctx, plugins, id)
    sums.workspaces += workspaces
    sums.removed += removed
  }
  return { agency_id: first.id, ...sums }
}

/** Removes one demo: its agency and everything of its workspaces. */
async function removeOne(ctx: OwnerContext, plugins: readonly PluginDeclaration[], agencyId: string) {
  const spaces = await ctx.rows(Workspace).list({ where: where.eq('agency_id', agencyId), limit: 1000 })
  const ids = spaces.map(({ id }) => id)
  for (const plugin of plugins) await confined(plugin).demo?.remove?.(ctx, ids)
  // Compares names, as in `setsOf`. The agency is last, because an interrupted removal is found by it.
  const last: readonly AnyEntity[] = [Workspace, Agency]
  const lastNames = new Set(last.map(({ name }) => name))
  const documents = plugins.flatMap(({ entities = [] }) =>
    entities.filter(({ store }) => store === 'documents'),
  )
  let removed = 0
  for (const entity of [...documents.filter(({ name }) => !lastNames.has(name)), ...last]) {
    removed += await ctx.rows(entity).removeWhere(where.in('workspace_id', [...ids, agencyId]))
  }
  announce(ctx, plugins)
  return { workspaces: ids.length, removed }
}

/** Finds the agency of a demo, also of an interrupted one. Loaded demos come first. */
export async function findDemo(ctx: OwnerContext) {
  const all = await allDemos(ctx)
  return all.find(({ is_active }) => is_active) ?? all[0] ?? null
}

const allDemos = (ctx: OwnerContext) =>
  ctx.rows(Agency).list({
    where: where.eq('is_demo', true),
    sort: [{ field: 'id', direction: 'asc' }],
    limit: 1000,
  })

async function put({ rows, columns }: OwnerContext, set: DemoRows): Promise<void> {
  if ('entity' in set) {
    await insertPast(rows, set.entity, set.rows)
    return
  }
  const names = Object.keys(set.table.columns)
  await allTables(columns).insert(
    set.table.name,
    names,
    set.rows.map((row) => names.map((name) => row[name])),
  )
}

/** Any feed may have changed, and the ingest must know the new sites. */
function announce(ctx: OwnerContext, plugins: readonly PluginDeclaration[]): void {
  for (const { feeds = {} } of plugins) for (const name of Object.keys(feeds)) ctx.changed(name)
}

/** Returns the agency first, and inactive. */
const asleep = (set: DemoRows): DemoRows =>
  'entity' in set && set.entity.name === Agency.name
    ? { entity: Agency, rows: set.rows.map((row) => ({ ...row, is_active: false })) }
    : set

function countsOf(sets: readonly DemoRows[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const set of sets) {
    const name = 'entity' in set ? set.entity.name : set.table.name
    counts[name] = (counts[name] ?? 0) + set.rows.length
  }
  return counts
}
