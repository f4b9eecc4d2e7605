import type { JoinedPage, ListQuery, ReadRows } from '../contracts/context'
import type { AnyEntity, Row } from '../contracts/entity'
import { everything, type Where, where } from '../contracts/where'
import { visibleRow } from '../kit/fields'
import { defaultSort } from '../query/parse'
import type { Document } from '../stores/documents/port'
import type { ReaderView } from './reader-view'
import type { Reader } from './sources'

/** One entity as a caller may read it. */
interface Clamped<E extends AnyEntity> {
  readonly target: AnyEntity
  readonly clamp: Where
  readonly reader: Reader
  readonly rows: Pick<ReadRows<E>, 'list' | 'count'>
  readonly view: ReaderView
}

/**
 * Lists rows with the rows of another entity that their field `by` names. A joined row that the caller may not read is
 * null. A store that cannot join gets three reads.
 */
export async function joinedRows<E extends AnyEntity, J extends AnyEntity>(
  { target, clamp, reader, rows, view }: Clamped<E>,
  query: ListQuery,
  other: Clamped<J> & { readonly by: string },
): Promise<JoinedPage<E, J>> {
  const { by } = other
  if (!reader.findJoined || target.store !== other.target.store) return threeReads(rows, query, other)
  view.check({ ...query, fields: [by] })
  const found = await reader.findJoined(
    { ...query, where: where.and(clamp, query.where ?? everything), sort: query.sort ?? defaultSort(target) },
    { entity: other.target, by, where: other.clamp },
  )
  const shown = found.rows.map(({ row, joined }) => ({
    row: view.shown(row) as Row<E>,
    joined: joined && (other.view.shown(joined) as Row<J>),
  }))
  return { rows: shown, total: found.total }
}

async function threeReads<E extends AnyEntity, J extends AnyEntity>(
  rows: Clamped<E>['rows'],
  query: ListQuery,
  { target, rows: others, by }: Clamped<J> & { readonly by: string },
): Promise<JoinedPage<E, J>> {
  const [listed, total] = await Promise.all([rows.list(query), rows.count(query.where)])
  const idOf = (row: Row<E>) => (row as Readonly<Record<string, unknown>>)[by]
  const ids = [...new Set(listed.map(idOf))].filter((id) => typeof id === 'string')
  const found = ids.length === 0 ? [] : await others.list({ where: where.in('id', ids), limit: ids.length })
  const byId = new Map(found.map((row) => [(row as Document).id, visibleRow(target, row) as Row<J>]))
  return { rows: listed.map((row) => ({ row, joined: byId.get(idOf(row) as string) ?? null })), total }
}
