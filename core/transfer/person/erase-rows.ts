import type { AnyEntity } from '../../contracts/entity'
import type { Extensions } from '../../contracts/extension'
import type { OwnerContext } from '../../contracts/owner'
import { type ErasureTask, type PersonErasure, personErasure } from '../../contracts/person-erasure'
import { where } from '../../contracts/where'
import type { Clock } from '../../process/clock'
import {
  type Collection,
  ConflictError,
  type Document,
  type Documents,
  type Patch,
} from '../../stores/documents/port'
import { erasedText, mapTexts, type PersonMatcher } from '../../tenancy/rights/matcher'
import { erasureOf, personRowsOf, withoutPerson } from './rows'

/** What erases rows. */
export interface ErasureDeps {
  readonly documents: Documents
  readonly owner: OwnerContext
  readonly clock: Clock
  readonly matcher: PersonMatcher
  block(key: string): Promise<void>
}

/** A row may change while it is read and written. */
const triesMax = 10

/** Erases the person from one row. Does nothing if the row is gone. */
export async function eraseRow(
  deps: ErasureDeps,
  entity: AnyEntity,
  id: string,
  isAbout: boolean,
): Promise<void> {
  const collection = deps.documents.collection(entity)
  const row = await collection.get(id)
  if (!row) return
  const rows = personRowsOf(entity)
  const plugin = erasureFor(deps.owner.extensions, entity)
  if (plugin) {
    const task: ErasureTask = { isAbout, redact: deps.matcher.redact, block: deps.block }
    return plugin.erase(deps.owner, row, task)
  }
  if (isAbout && rows?.erase === 'row') return void (await collection.remove(where.eq('id', id)))
  const erase = isAbout && rows && typeof rows.erase === 'object' ? rows.erase : {}
  for (let tries = 0, found: Document | null = row; found && tries < triesMax; tries++) {
    if (await changeRow(deps, collection, entity, found, erase)) return
    found = await collection.get(id)
  }
}

const erasureFor = (extensions: Extensions, { name }: AnyEntity): PersonErasure | undefined =>
  extensions(personErasure).find(({ record_type }) => record_type === name)

/** Changes a row if it is still as it was read. Returns whether it is done. */
async function changeRow(
  { clock, matcher }: ErasureDeps,
  collection: Collection,
  entity: AnyEntity,
  row: Document,
  erase: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const { set, unset } = erasureOf(erase, row)
  const redacted = withoutPerson(entity, row, matcher.redact)
  const changed = { ...redacted, ...set }
  for (const field of unset) delete changed[field]
  if (Object.keys(changed).length + unset.length === 0) return true
  const same = where.and(where.eq('id', row.id), where.eq('updated_date', row.updated_date))
  const updated_date = clock.now().toISOString()
  const patch: Patch = { set: { ...changed, updated_date }, unset }
  try {
    return (await collection.updateOne(same, patch)) !== null
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
    // Another row has the same text without the person. The id makes it different.
    const own = mapTexts(changed, (text) => text.replaceAll(erasedText, `${erasedText} ${row.id}`)) as object
    return (await collection.updateOne(same, { set: { ...own, updated_date }, unset })) !== null
  }
}
