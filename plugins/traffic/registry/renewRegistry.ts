import {
  dayMs,
  hourMs,
  type JobDeclaration,
  messageOf,
  nullIfConflict,
  type OwnerContext,
  throwIfStoreAway,
  where,
} from 'renown'
import { type OpenedRegistry, openRegistry, registryBytesMax, releaseRegistryVersion } from 'renown/traffic'
import { MirrorRegistry } from '../records/MirrorRegistry'
import { trafficSettings } from '../settings'
import { registryRow, trustedKeys, useRegistry } from './registry-in-use'

/** Longest time for which a registry may be valid. A mirror that stops sending newer ones is noticed by then. */
const validDaysMax = 400
const skewMs = dayMs
/** A placeholder, because the registry belongs to no workspace. */
const nobody = 'ingest'

/** Renews the registry of agents from the mirror. A mirror that fails changes nothing. */
export const renewRegistry: JobDeclaration = {
  summary: 'Renews the registry of AI agents from its mirror',
  everyMs: 6 * hourMs,
  run: async (ctx) => void (await renewNow(ctx)),
}

/** Asks the mirror once, and records how that ended. Does nothing without a mirror. */
export async function renewNow(ctx: OwnerContext): Promise<void> {
  const url = trafficSettings.of(ctx).RENOWN_REGISTRY_URL
  if (url === '') return
  try {
    if (trustedKeys(ctx).length === 0)
      throw new Error('No key is trusted: set RENOWN_REGISTRY_KEYS to the public key of the mirror.')
    await accept(ctx, await fetched(ctx, url))
  } catch (error) {
    throwIfStoreAway(error)
    const reason = messageOf(error)
    ctx.log.warn('the registry of agents could not be renewed; the one in use stays', { reason })
    await write(ctx, { last_error: reason })
  }
}

async function fetched(ctx: OwnerContext, url: string): Promise<Uint8Array> {
  const { status, body } = await ctx.outbound.safeFetch(url, {
    maxBytes: registryBytesMax,
    timeoutMs: 20_000,
    accept: 'text/plain, application/octet-stream',
  })
  if (status === 200) return body
  throw new Error(status >= 300 && status < 400 ? 'The mirror redirects.' : `The mirror answered ${status}.`)
}

async function accept(ctx: OwnerContext, bytes: Uint8Array): Promise<void> {
  const opened = openOf(ctx, bytes)
  const { version } = opened.registry
  const text = new TextDecoder().decode(bytes)
  const known = await ctx.rows(MirrorRegistry).get(registryRow)
  if (known?.version === version && known.text === text) return write(ctx, { last_error: null })
  const newest = Math.max(known?.version ?? 0, releaseRegistryVersion)
  if (version <= newest)
    throw new Error(`The file has version ${version}, which is not newer than version ${newest} in use.`)
  await write(ctx, {
    version,
    text,
    key: opened.key,
    last_error: null,
    accepted_at: ctx.now().toISOString(),
  })
  const row = await ctx.rows(MirrorRegistry).get(registryRow)
  if (!row) return
  useRegistry(ctx, ctx, row)
  ctx.changed('sites')
  ctx.log.info('a newer registry of agents is used', { version, agents: opened.registry.agents.length })
}

function openOf(ctx: OwnerContext, bytes: Uint8Array): OpenedRegistry {
  const opened = faultless(() => openRegistry(bytes, trustedKeys(ctx)))
  const { issued_at, expires_at } = opened.registry
  const issued = Date.parse(issued_at)
  const expires = Date.parse(expires_at)
  const now = ctx.now().getTime()
  if (expires <= now) throw new Error(`The file expired on ${expires_at.slice(0, 10)}.`)
  if (issued > now + skewMs) throw new Error('The file was issued in the future.')
  if (expires - issued > validDaysMax * dayMs)
    throw new Error(`The file is valid for more than ${validDaysMax} days.`)
  return opened
}

function faultless<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Error(`The file ${messageOf(error)}.`)
  }
}

type Change = Partial<
  Pick<
    Parameters<ReturnType<typeof rowsOf>['insert']>[0],
    'version' | 'text' | 'key' | 'last_error' | 'accepted_at'
  >
>
const rowsOf = (ctx: OwnerContext) => ctx.rows(MirrorRegistry)

/** Changes the row. A version never falls, even if another process writes too. */
async function write(ctx: OwnerContext, change: Change): Promise<void> {
  const checked_at = ctx.now().toISOString()
  const fresh = { id: registryRow, workspace_id: nobody, version: 0, key: '', text: '', checked_at }
  await rowsOf(ctx).insertMany([fresh]).catch(nullIfConflict)
  const only = change.version === undefined ? [] : [where.lt('version', change.version)]
  await rowsOf(ctx).updateWhere(where.and(where.eq('id', registryRow), ...only), { ...change, checked_at })
}
