import type { Row, Scalar, SortKey, Where } from 'renown'
import type { Collection, Document, Documents } from '../../../core/stores/documents/port'
import type { Sample } from '../sample-entity'

/** What a chapter works with: an empty collection of `Sample`. */
export interface Tools {
  put(...documents: Document[]): Promise<void>
  ids(where: Where, sort?: SortKey[]): Promise<number[]>
  rows(): Collection
  documents(): Documents
}

export const moment = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()
export const desc = (field: string): SortKey => ({ field, direction: 'desc' })
export const asc = (field: string): SortKey => ({ field, direction: 'asc' })
export const eq = (field: string, value: Scalar): Where => ({ op: 'eq', field, value })
export const all: Where = { op: 'and', of: [] }
export const text = (body: string | Uint8Array) =>
  typeof body === 'string' ? body : new TextDecoder().decode(body)

/** A document of `Sample`, every `n` a second later than the one before. */
export const sample = (n: number, more: Record<string, unknown> = {}): Row<typeof Sample> => ({
  id: `smp_${String(n).padStart(4, '0')}`,
  workspace_id: 'wks_1',
  location_id: 'loc_1',
  stage: 'new',
  is_archived: false,
  created_date: moment(n),
  updated_date: moment(n),
  ...more,
})
