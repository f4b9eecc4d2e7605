import type { AnyEntity, NewRow } from 'renown'
import * as v from 'valibot'
import { fieldsOf } from '../../core/kit/fields'
import { tableOf } from '../../core/registry/table-of'
import type { ColumnsStore } from '../../core/stores/columns/port'
import type { Gate, Tenant } from './harness'
import { sampleRow } from './sample-row'

/** Stands in hidden texts of every row: no answer may hold it. */
export const secretText = 'hidden-secret-text'
const rowsEach = 4

/** A row as it was planted. `mark` stands in its visible texts and tells its workspace. */
export interface Planted {
  readonly entity: AnyEntity
  readonly id: string
  readonly workspaceId: string
  readonly mark: string
  readonly row: Readonly<Record<string, unknown>>
}

export interface World {
  readonly tenants: readonly Tenant[]
  readonly workspaces: readonly string[]
  /** Record types that callers can read and that belong to one workspace. */
  readonly entities: readonly AnyEntity[]
  readonly rows: readonly Planted[]
  /** The workspaces that a tenant's credential reads; the platform's reads all. */
  readable(tenant: Tenant): readonly string[]
  /** Marks of rows of other workspaces in a text, and the secret of hidden fields. */
  leaks(text: string, workspaceId: string): string[]
}

/** Plants rows of every record type into every workspace of the gate's tenants. */
export async function plantWorld(gate: Gate, columns: ColumnsStore): Promise<World> {
  const tenants = [gate.tenant, gate.stranger, gate.platform]
  const workspaces = tenants.flatMap(({ workspaceId, otherWorkspaceId }) => [workspaceId, otherWorkspaceId])
  const entities = plantable(gate)
  const rows: Planted[] = []
  for (const entity of entities) {
    for (const [place, workspaceId] of workspaces.entries()) {
      for (let n = 0; n < rowsEach; n++) {
        const mark = `mark-w${place}-${n}`
        const row = await plantRow(gate, columns, entity, mark, workspaceId)
        rows.push({ entity, id: row.id, workspaceId, mark, row })
      }
    }
  }
  for (const planted of rows) await pointElsewhere(gate, planted, rows)
  return {
    tenants,
    workspaces,
    entities,
    rows,
    readable: (tenant) =>
      tenant === gate.platform ? workspaces : [tenant.workspaceId, tenant.otherWorkspaceId],
    leaks(text, workspaceId) {
      const own = `mark-w${workspaces.indexOf(workspaceId)}-`
      const marks = text.match(/mark-w\d+-/g) ?? []
      return [...marks.filter((mark) => mark !== own), ...(text.match(new RegExp(secretText, 'g')) ?? [])]
    },
  }
}

/** Record types that callers can read and that belong to one workspace. */
export const plantable = ({ registry }: Gate): AnyEntity[] =>
  [...registry.entities.values()].filter(
    ({ reads, scope }) => reads.length > 0 && !['self', 'agency'].includes(scope.by),
  )

/** Puts a row of an entity, whichever store it is of, into a workspace. */
export async function plantRow(
  gate: Gate,
  columns: ColumnsStore,
  entity: AnyEntity,
  mark: string,
  workspaceId: string,
): Promise<Record<string, unknown> & { id: string }> {
  const known = 'timezone' in entity.fields ? { timezone: 'Europe/Madrid' } : {}
  const row = { ...sampleRow(entity, mark), ...known, ...secrets(entity) } as NewRow<AnyEntity>
  const put =
    entity.store === 'documents'
      ? gate.put(entity, row, workspaceId)
      : putColumns(gate, columns, entity, row, workspaceId)
  return (await put) as Record<string, unknown> & { id: string }
}

/** Lets the references of a row point at rows of another workspace: what joins them must not show these. */
async function pointElsewhere(gate: Gate, { entity, id, workspaceId }: Planted, rows: readonly Planted[]) {
  if (entity.store !== 'documents') return
  const kept = ['id', 'workspace_id', entity.scope.field]
  const names = fieldsOf(entity).flatMap(({ name }) =>
    name.endsWith('_id') && !kept.includes(name) ? [name] : [],
  )
  for (const name of names) {
    const kind = name.slice(0, -3).split('_').at(-1) ?? ''
    const foreign = rows.filter((row) => row.workspaceId !== workspaceId && endsWith(row.entity, kind))
    const [there] = foreign
    if (!there) continue
    const change = { set: { [name]: there.id } }
    await gate.documents.collection(entity).updateOne({ op: 'eq', field: 'id', value: id }, change)
  }
}

const endsWith = ({ name }: AnyEntity, kind: string) => name.toLowerCase().endsWith(kind)

/** The secret in each hidden field that takes it. */
let secretsMade = 0

function secrets(entity: AnyEntity): object {
  const fields = fieldsOf(entity).filter(({ name, hidden }) => hidden && name !== 'workspace_id')
  return Object.fromEntries(
    fields.flatMap((field) => {
      const isUnique = entity.indexes?.some(
        ({ on, unique }) => unique && on.some((one) => one === field.name),
      )
      const text = isUnique ? `${secretText} ${secretsMade++}` : secretText
      const value = [text, [text], { text }].find((one) => v.is(field.schema, one))
      return value === undefined ? [] : [[field.name, value]]
    }),
  )
}

/** A row of an entity that is served from columns, put where a job would put it. */
async function putColumns(
  gate: Gate,
  columns: ColumnsStore,
  entity: AnyEntity,
  row: object,
  workspaceId: string,
) {
  const table = gate.registry.tables.get(tableOf(entity))
  if (!table) throw new Error(`${entity.name} has no table`)
  const stamp = gate.clock.now().toISOString()
  const id = gate.owner.newId(entity)
  const whole: Record<string, unknown> = {
    ...row,
    // Every number of a sample is the same: hits cannot be both, and more than there are.
    ...('spoofed_hits' in row ? { spoofed_hits: 0 } : {}),
    id,
    workspace_id: workspaceId,
    [entity.scope.field]: id,
    created_date: stamp,
    updated_date: stamp,
  }
  const cells = Object.entries(table.columns).map(([name, type]) => {
    const value = whole[name]
    if (value !== undefined)
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
    if (type.startsWith('Nullable')) return null
    if (/^Date64|DateTime/.test(type)) return stamp.slice(0, 19).replace('T', ' ')
    return type.startsWith('Date') ? stamp.slice(0, 10) : type.includes('String') ? '' : 0
  })
  await columns.insert(table.name, Object.keys(table.columns), [cells])
  return whole
}
