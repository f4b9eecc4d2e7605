import type { Row } from '../../../contracts/entity'
import { nullIfConflict } from '../../../contracts/errors'
import type { OwnerContext } from '../../../contracts/plugin'
import { dayMs } from '../../../contracts/time'
import { where } from '../../../contracts/where'
import { HomeVisit } from '../../../tenancy/home/HomeVisit'

/** Opening the page again within half an hour belongs to the same visit, so news stays new. */
const visitMs = 30 * 60_000
/** The period of news at the first visit. */
const firstLookMs = 7 * dayMs
const keptMs = 400 * dayMs
/** Minimum interval between two writes of the record. */
const writtenEveryMs = 60_000

type Known = Row<typeof HomeVisit> | null

/** The start of the period whose changes count as new. */
export interface Look {
  /** Changes after this instant are new. ISO 8601. */
  readonly since: string
  /** Whether this is the person's first visit. `since` is then a week ago. */
  readonly isFirst: boolean
}

interface Who {
  readonly workspaceId: string
  readonly userId: string
}

type Deps = Pick<OwnerContext, 'rows' | 'now'>

const ofPerson = ({ workspaceId, userId }: Who) =>
  where.and(where.eq('workspace_id', workspaceId), where.eq('user_id', userId))

/** Returns the record of a person's visits to a workspace, or null before the first. */
export async function visitOf({ rows }: Deps, who: Who): Promise<Known> {
  const [row] = await rows(HomeVisit).list({ where: ofPerson(who), limit: 1 })
  return row ?? null
}

const isSameVisit = ({ seen_at }: NonNullable<Known>, now: Date) =>
  now.getTime() - Date.parse(seen_at) < visitMs

/** Returns since when changes are new to the person. */
export function lookOf(known: Known, now: Date): Look {
  if (known === null) return { since: before(now.getTime()), isFirst: true }
  if (!isSameVisit(known, now)) return { since: known.seen_at, isFirst: false }
  if (known.since !== undefined) return { since: known.since, isFirst: false }
  return { since: before(Date.parse(known.created_date)), isFirst: true }
}

const before = (ms: number) => new Date(ms - firstLookMs).toISOString()

/** Records that the page was shown. If two tabs do so at the same time, either write is fine. */
export async function recordVisit({ rows, now }: Deps, who: Who, known: Known): Promise<void> {
  const seen_at = now().toISOString()
  const expire_at = new Date(now().getTime() + keptMs).toISOString()
  if (known === null) {
    const row = { workspace_id: who.workspaceId, user_id: who.userId, seen_at, expire_at }
    await rows(HomeVisit).insert(row).catch(nullIfConflict)
    return
  }
  if (isSameVisit(known, now()) && Date.parse(seen_at) - Date.parse(known.seen_at) < writtenEveryMs) return
  const since = isSameVisit(known, now()) ? {} : { since: known.seen_at }
  const asRead = where.and(where.eq('id', known.id), where.eq('seen_at', known.seen_at))
  await rows(HomeVisit).updateWhere(asRead, { ...since, seen_at, expire_at })
}

/**
 * Whether the person sees the answer to this request. False if the browser or a script only fetches the page
 * in advance.
 */
export function isShown({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean {
  if (method !== 'GET') return false
  const advance = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => headers.get(name) ?? '')
  if (advance.some((value) => /prefetch|prerender|preview/i.test(value))) return false
  const dest = headers.get('sec-fetch-dest')
  return dest === null || dest === 'document'
}
