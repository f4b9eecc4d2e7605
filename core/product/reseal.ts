import type { AnyEntity } from '../contracts/entity'
import type { SealedPlace, Secrets } from '../contracts/outbound'
import { where } from '../contracts/where'
import type { Clock } from '../process/clock'
import type { Registry } from '../registry/registry'
import type { Document, Documents } from '../stores/documents/port'

/** The result for one field. */
export interface ResealedField {
  readonly record_type: string
  readonly field: string
  /** Texts that the newest key seals now. */
  readonly resealed: number
  /** Texts that it sealed already. */
  readonly current: number
  /** Ids of rows whose text no key opens. They stay as they are. */
  readonly unreadable: readonly string[]
}

export interface ResealDeps {
  readonly registry: Pick<Registry, 'entities'>
  readonly documents: Documents
  readonly secrets: Secrets
  readonly clock: Clock
}

const pageRows = 200

/**
 * Seals every stored secret again under the newest key, so that the old ones can be dropped. A row that changes in the
 * meantime keeps its new text. Can be interrupted and run again.
 */
export async function reseal(deps: ResealDeps): Promise<ResealedField[]> {
  const told: ResealedField[] = []
  for (const entity of deps.registry.entities.values()) {
    if (entity.store !== 'documents') continue
    for (const field of (entity.sealed ?? []) as readonly string[])
      told.push(await resealField(deps, entity, field))
  }
  return told
}

async function resealField(deps: ResealDeps, entity: AnyEntity, field: string): Promise<ResealedField> {
  const rows = deps.documents.collection(entity)
  const unreadable: string[] = []
  let resealed = 0
  let current = 0
  for (let after = ''; ; ) {
    const page = await rows.find({
      where: where.and(where.gt('id', after), where.ne(field, null)),
      sort: [{ field: 'id', direction: 'asc' }],
      limit: pageRows,
    })
    for (const row of page) {
      const outcome = await resealRow(deps, entity, field, row)
      if (outcome === 'current') current++
      else if (outcome === 'resealed') resealed++
      else if (outcome === 'unreadable') unreadable.push(row.id)
    }
    if (page.length < pageRows) break
    after = page.at(-1)?.id ?? ''
  }
  return { record_type: entity.name, field, resealed, current, unreadable }
}

async function resealRow(
  { documents, secrets, clock }: ResealDeps,
  entity: AnyEntity,
  field: string,
  row: Document,
): Promise<'current' | 'resealed' | 'unreadable' | 'gone'> {
  const sealed = row[field]
  if (typeof sealed !== 'string') return 'gone'
  if (!secrets.isOld(sealed)) return 'current'
  const place: SealedPlace = {
    entity: entity.name,
    workspace_id: String(row.workspace_id),
    id: row.id,
    field,
  }
  let fresh: string
  try {
    fresh = secrets.seal(secrets.open(sealed, place), place)
  } catch {
    return 'unreadable'
  }
  const same = where.and(where.eq('id', row.id), where.eq(field, sealed))
  const set = { [field]: fresh, updated_date: clock.now().toISOString() }
  return (await documents.collection(entity).updateOne(same, { set })) ? 'resealed' : 'gone'
}
