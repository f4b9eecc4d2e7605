import type { AnyEntity } from '../../core/contracts/entity'
import type { Scalar, SortKey, Where } from '../../core/contracts/where'
import {
  ConflictError,
  type Document,
  type Documents,
  type FindQuery,
} from '../../core/stores/documents/port'

type Loose = Record<string, unknown>
const at = (row: Loose, path: string) =>
  path.split('.').reduce<unknown>((v, k) => (v as Loose)?.[k], row) ?? null
const cmp = (a: unknown, b: unknown) =>
  a === b ? 0 : a === null ? -1 : b === null ? 1 : (a as string) < (b as string) ? -1 : 1
function matches(row: Loose, w: Where): boolean {
  if ('of' in w) {
    const all = Array.isArray(w.of) ? (w.of as readonly Where[]) : [w.of as Where]
    const hits = all.map((x) => matches(row, x))
    return w.op === 'and' ? hits.every(Boolean) : w.op === 'or' ? hits.some(Boolean) : !hits.some(Boolean)
  }
  const value = at(row, w.field)
  const any = (test: (v: unknown) => boolean) => (Array.isArray(value) ? value.some(test) : test(value))
  switch (w.op) {
    case 'eq':
      return any((v) => v === w.value)
    case 'ne':
      return !any((v) => v === w.value)
    case 'in':
      return any((v) => w.values.includes(v as Scalar))
    case 'nin':
      return !any((v) => w.values.includes(v as Scalar))
    case 'all':
      return w.values.every((x) => any((v) => v === x))
    case 'exists':
      return (value !== null) === w.value
    case 'contains':
      return any((v) => String(v).toLowerCase().includes(w.value.toLowerCase()))
    case 'startsWith':
      return any((v) => String(v).toLowerCase().startsWith(w.value.toLowerCase()))
    case 'size':
      return Array.isArray(value) && value.length === w.value
    case 'gt':
      return any((v) => v !== null && cmp(v, w.value) > 0)
    case 'gte':
      return any((v) => v !== null && cmp(v, w.value) >= 0)
    case 'lt':
      return any((v) => v !== null && cmp(v, w.value) < 0)
    case 'lte':
      return any((v) => v !== null && cmp(v, w.value) <= 0)
  }
}
export function arrayDocuments(): Documents {
  const all = new Map<string, Map<string, Loose>>()
  const collection = (entity: AnyEntity): ReturnType<Documents['collection']> => {
    if (!all.has(entity.name)) all.set(entity.name, new Map())
    const rows = all.get(entity.name) as Map<string, Loose>
    const keys = (sort: readonly SortKey[] = []) => [
      ...sort,
      { field: 'id', direction: sort.at(-1)?.direction ?? 'asc' } as SortKey,
    ]
    const order = (a: Loose, b: Loose, sort: readonly SortKey[]) => {
      for (const k of sort) {
        const c = cmp(at(a, k.field), at(b, k.field))
        if (c) return k.direction === 'desc' ? -c : c
      }
      return 0
    }
    const select = (q: FindQuery) => {
      const ks = keys(q.sort)
      let list = [...rows.values()].filter((r) => matches(r, q.where)).sort((a, b) => order(a, b, ks))
      if (q.after) {
        const mark: Loose = { id: q.after.id }
        q.sort?.forEach((k, i) => {
          mark[k.field] = q.after?.values[i]
        })
        list = list.filter((r) => order(r, mark, ks) > 0)
      }
      return list.slice(q.skip ?? 0)
    }
    const check = (row: Loose) => {
      for (const ix of entity.indexes ?? []) {
        if (!ix.unique || Object.entries(ix.where ?? {}).some(([n, v]) => row[n] !== v)) continue
        const fields = ix.on.map((n) => n.replace(/^-/, ''))
        for (const o of rows.values())
          if (
            o.id !== row.id &&
            Object.entries(ix.where ?? {}).every(([n, v]) => o[n] === v) &&
            fields.every((f) => at(o, f) === at(row, f) && at(o, f) !== null)
          )
            throw new ConflictError(entity.name, fields.join(), fields)
      }
    }
    const api: ReturnType<Documents['collection']> = {
      get: async (id) => (structuredClone(rows.get(id)) as Document) ?? null,
      find: async (q) => structuredClone(select(q).slice(0, q.limit)) as Document[],
      findJson: async (q) => {
        const list = select(q)
        const page = list.slice(0, q.limit)
        const lastRow = page.at(-1)
        const shown = page.map((r) =>
          Object.fromEntries(
            Object.entries(r).filter(
              ([n]) => !q.omit.includes(n) && (!q.fields || n === 'id' || q.fields.includes(n)),
            ),
          ),
        )
        return {
          body: JSON.stringify(shown),
          count: page.length,
          more: list.length > page.length,
          last: lastRow
            ? { values: (q.sort ?? []).map((k) => at(lastRow, k.field) as Scalar), id: String(lastRow.id) }
            : null,
        }
      },
      count: async (w, limit) =>
        Math.min([...rows.values()].filter((r) => matches(r, w)).length, limit ?? Number.POSITIVE_INFINITY),
      group: async () => [],
      insert: async (d) => {
        if (rows.has(d.id)) throw new ConflictError(entity.name, 'id', ['id'])
        check(d)
        rows.set(d.id, structuredClone(d))
      },
      insertMany: async () => {
        throw new Error('not here')
      },
      updateOne: async (w, p, o = {}) => {
        let row = select({ where: w, ...(o.sort ? { sort: o.sort } : {}) })[0]
        const before = row ? structuredClone(row) : null
        if (!row) {
          if (!o.upsert) return null
          row = structuredClone(p.setOnInsert ?? {}) as Loose
        }
        const next: Loose = { ...row, ...p.set }
        for (const n of p.unset ?? []) delete next[n]
        for (const [n, v] of Object.entries(p.inc ?? {})) next[n] = Number(next[n] ?? 0) + v
        check(next)
        rows.set(String(next.id), next)
        return (o.returning === 'before' ? before : structuredClone(next)) as Document | null
      },
      updateMany: async () => 0,
      remove: async (w) => {
        let n = 0
        for (const [id, r] of rows)
          if (matches(r, w)) {
            rows.delete(id)
            n++
          }
        return n
      },
      examined: async (q, limit) => (Math.min(select(q).length, limit) > 50_000 ? limit : 0),
    }
    return api
  }
  return { kind: 'sqlite', collection, ensure: async () => {}, ping: async () => {}, close: async () => {} }
}
