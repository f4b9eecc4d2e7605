import { where } from '../../contracts/where'
import type { LocationDeps } from './location-deps'

/** A look at a business that is being pitched, as the plugin that takes it keeps it. */
export interface Audit {
  readonly location_id: string
  readonly status: string
  readonly score?: number
  readonly findings?: Readonly<Record<string, unknown>>
  readonly created_date: string
  readonly completed_at?: string
  readonly error?: string
}

/** The audits of these locations, by location; none where no plugin audits. */
export async function auditsOf(
  { owner, entities }: Pick<LocationDeps, 'owner' | 'entities'>,
  locationIds: readonly string[],
): Promise<ReadonlyMap<string, Audit>> {
  const entity = entities.get('ProspectAudit')
  if (!entity || locationIds.length === 0) return new Map()
  const inside = where.in('location_id', [...locationIds])
  const rows = await owner.rows(entity).list({ where: inside, limit: locationIds.length })
  return new Map((rows as unknown as Audit[]).map((audit) => [audit.location_id, audit]))
}

/** How far an audit is, in words. */
export function auditWords(audit: Audit | undefined): string {
  if (!audit) return 'not audited yet'
  const { status, score } = audit
  if (status === 'completed') return score === undefined ? 'done, without a score' : `${score} of 100`
  return Object.hasOwn(words, status) ? (words[status] ?? status) : status
}

const words: Readonly<Record<string, string>> = {
  queued: 'waiting for its turn',
  running: 'under way',
  failed: 'failed',
}

/** Whether an audit waits or runs: it cannot be asked for again before it ended. */
export const isAuditOpen = (audit: Audit | undefined): boolean =>
  audit !== undefined && audit.status !== 'completed' && audit.status !== 'failed'
