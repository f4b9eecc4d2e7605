import type { AnyEntity } from '../contracts/entity'
import { type Fault, Refusal } from '../contracts/errors'
import { nearest } from '../kit/suggest'
import { visible } from '../kit/visible-text'
import type { NamedWorkspace } from '../tenancy/named-workspaces'
import { labelOf, type NamedRow, namingFields } from './named-rows'

const listedMax = 10
const nameMax = 80

/** Where a reference stands, as refusals name it. */
export interface ReferencePosition {
  /** The argument or the field of the filter, such as `q.location_id`. */
  readonly argument: string
  readonly entity: AnyEntity
  /** Default: the argument as a JSON pointer. */
  readonly at?: Partial<Fault>
  /** Set if the record itself is read, not something about it. */
  readonly isRecord?: boolean
}

/** `q.location_id` → `/q/location_id`. */
const faultAt = ({ argument, at }: ReferencePosition): Partial<Fault> =>
  at ?? { pointer: `/${argument.replaceAll('.', '/')}` }

const subjectOf = ({ argument, entity, isRecord }: ReferencePosition): string =>
  isRecord ? `The ${entity.name}` : `\`${argument}\``

/** Refuses a name of several records. */
export function severalNamed(place: ReferencePosition, rows: readonly NamedRow[]): Refusal {
  const allowed = rows.slice(0, listedMax).map(({ id }) => id)
  const message = `names ${rows.length} records. Send one of these ids`
  const code = place.isRecord ? 'invalid_parameter' : 'invalid_field'
  return new Refusal(code, `\`${place.argument}\` ${message}: ${allowed.join(', ')}.`, {
    errors: [{ ...faultAt(place), code: 'ambiguous', message, allowed }],
  })
}

/** Refuses a reference that names no record, with the records that it may mean. */
export function noneNamed(place: ReferencePosition, text: string, rows: readonly NamedRow[]): Refusal {
  const { argument, entity } = place
  const fields = namingFields(entity)
  const known = rows.map((row) => labelOf(fields, row)).filter((label) => label !== '')
  const accepted = fields.length > 0 ? 'id, name or domain' : 'id'
  const message = `is not the ${accepted} of a record in this workspace`
  const meant = nearest(text, known)
  const detail = place.isRecord
    ? `There is no ${entity.name} with this ${fields.length > 0 ? 'id, name or domain' : 'id'} in the workspace`
    : `\`${argument}\` ${message}`
  return new Refusal('not_found', `${detail}.`, {
    errors: [
      {
        ...faultAt(place),
        code: 'not_found',
        message,
        ...(fields.length === 0 ? {} : { allowed: known.slice(0, listedMax) }),
        ...(meant === undefined ? {} : { did_you_mean: meant }),
      },
    ],
    ...newestOf(entity, rows),
  })
}

/** What a caller can name instead, where records have no names: the newest ones. */
function newestOf({ name, namedIn }: AnyEntity, rows: readonly NamedRow[]): { readonly hint?: string } {
  const shown = namedIn?.shown ?? []
  if (shown.length === 0 || rows.length === 0) return {}
  const words = rows.map((row) => `${row.id} (${shown.map((field) => String(row[field] ?? '')).join(', ')})`)
  return { hint: `The newest records of ${name} are ${words.join('; ')}.` }
}

/** Which workspaces a call reads. */
export interface CallScope {
  readonly ids: ReadonlySet<string>
  /** Whether the call chose them in `workspaces`. */
  readonly isChosen: boolean
}

/** Refuses a record of a workspace that the call does not read. `workspace` is null if the credential cannot read it. */
export function inOtherWorkspace(
  place: ReferencePosition,
  workspace: Pick<NamedWorkspace, 'id' | 'name'> | null,
  isChosen = false,
): Refusal {
  const subject = subjectOf(place)
  if (workspace === null) {
    const message = place.isRecord ? 'is in another workspace' : 'names a record of another workspace'
    return new Refusal('not_in_workspace', `${subject} ${message}.`, {
      errors: [{ ...faultAt(place), code: 'not_in_workspace', message }],
    })
  }
  const name = visible(workspace.name).slice(0, nameMax).toWellFormed()
  const todo = isChosen ? 'name it in workspaces' : 'pass workspace_id'
  const message = `is not in this workspace; it belongs to ${name}: ${todo}`
  const header = isChosen ? {} : { hint: `Send the header X-Workspace-Id: ${workspace.id}` }
  return new Refusal('not_in_workspace', `${subject} ${message}.`, {
    errors: [{ ...faultAt(place), code: 'not_in_workspace', message }],
    ...header,
    extra: { workspace_id: workspace.id, workspace_name: name },
  })
}
