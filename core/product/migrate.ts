import { messageOf } from '../contracts/errors'
import type { Log, OwnerContext } from '../contracts/plugin'
import { everything } from '../contracts/where'
import { JobLease } from '../jobs/JobLease'
import { createLeases, isLease, type Lease } from '../jobs/lease'
import type { Clock } from '../process/clock'
import { newId } from '../process/ids'
import { version } from '../process/version'
import type { RegisteredMigration, Registry } from '../registry/registry'
import { AppliedMigration } from '../stores/AppliedMigration'
import type { Documents } from '../stores/documents/port'

const waitMaxMs = 250

export interface MigrateDeps {
  readonly registry: Pick<Registry, 'plugins' | 'migrations'>
  readonly documents: Documents
  readonly owner: OwnerContext
  readonly clock: Clock
  readonly log: Log
}

/**
 * Runs new migrations in order of version. Only one process runs them, others wait. An interrupted migration
 * runs again, so it must be repeatable. Throws if a newer version has migrated the store. Returns the names
 * of those that ran.
 */
export async function migrate(deps: MigrateDeps): Promise<string[]> {
  const { documents, clock, log } = deps
  await documents.ensure([JobLease, AppliedMigration])
  if ((await pending(deps)).length === 0) return []
  const leases = createLeases({ documents, clock, holder: newId('run', clock.now()) })
  for (let waited = false; ; waited = true) {
    const lease = await leases.acquire('migrate', { early: true })
    if (isLease(lease)) return await runAll(deps, lease)
    if (!waited) log.info('another process is migrating the store; waiting for it')
    await Bun.sleep(Math.min(lease.waitMs, waitMaxMs))
    if ((await pending(deps)).length === 0) return []
  }
}

async function runAll(deps: MigrateDeps, lease: Lease): Promise<string[]> {
  const done: string[] = []
  try {
    for (const migration of await pending(deps)) {
      lease.signal.throwIfAborted()
      deps.log.info('migrating', { plugin: migration.plugin, version: migration.version })
      await migration.up(deps.owner)
      await record(deps, migration)
      done.push(nameOf(migration))
    }
    await lease.release({ afterMs: 0 })
    return done
  } catch (error) {
    const message = messageOf(error)
    await lease.release({ afterMs: 0, error: message })
    throw error
  }
}

async function record(
  { documents, clock }: MigrateDeps,
  { plugin, version: of, summary }: RegisteredMigration,
) {
  const stamp = clock.now().toISOString()
  const id = nameOf({ plugin, version: of })
  const dates = { created_date: stamp, updated_date: stamp, applied_at: stamp }
  const what = { plugin, version: of, summary, product_version: version }
  await documents.collection(AppliedMigration).insert({ id, workspace_id: id, ...what, ...dates })
}

/** Returns the migrations that must run. Throws if the store is newer than this binary. */
async function pending({ registry, documents }: MigrateDeps): Promise<RegisteredMigration[]> {
  const applied = await documents.collection(AppliedMigration).find({ where: everything })
  const known = new Set(registry.migrations.map(nameOf))
  const ahead = applied.filter((row) => registry.plugins.has(row.plugin) && !known.has(nameOf(row)))
  if (ahead.length > 0) {
    const names = ahead.map((row) => `${nameOf(row)} (by ${row.product_version})`).join(', ')
    throw new Error(
      `A newer version migrated the data. This version, ${version}, does not know ${names}. Start the newer version, or restore a backup from before the migration.`,
    )
  }
  const there = new Set(applied.map(nameOf))
  return registry.migrations.filter((migration) => !there.has(nameOf(migration)))
}

const nameOf = ({ plugin, version: of }: { readonly plugin: string; readonly version: number }) =>
  `${plugin}:${of}`
