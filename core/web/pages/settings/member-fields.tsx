/** @jsxImportSource ../../kit/jsx */
import type { MemberAccess, Role } from '../../../auth/people/members'
import { everything, where } from '../../../contracts/where'
import { Workspace } from '../../../tenancy/Workspace'
import type { Form } from '../../framework/forms'
import { Checkbox } from '../../kit/parts/kit'
import { Name, type SettingsDeps } from './settings'

/** A form has at most 200 fields, and each choice sends two. */
const choicesMax = 80

interface Choice {
  readonly id: string
  readonly name: string
}

interface Choices {
  readonly shown: readonly Choice[]
  /** Whether there are more workspaces than are shown. People can search them by name. */
  readonly hasMore: boolean
}

/** Workspaces to select: the given ones first, then those that match the search. */
export async function choicesOf(
  { owner }: SettingsDeps,
  agencyId: string,
  find: string,
  given: readonly string[] = [],
): Promise<Choices> {
  const rows = owner.rows(Workspace)
  const own = where.and(where.eq('agency_id', agencyId), where.eq('is_active', true))
  const name = find.trim().slice(0, 200)
  const sort = [{ field: 'name', direction: 'asc' }] as const
  const among = where.and(own, name === '' ? everything : { op: 'contains', field: 'name', value: name })
  const first =
    name === '' && given.length > 0
      ? await rows.list({ where: where.and(own, where.in('id', [...given])), sort, limit: choicesMax })
      : []
  const more = await rows.list({ where: among, sort, limit: choicesMax + 1 })
  const all = [...new Map([...first, ...more].map(({ id, name }) => [id, { id, name }])).values()]
  return { shown: all.slice(0, choicesMax), hasMore: name !== '' || all.length > choicesMax }
}

/** Returns the selection. A workspace that the form did not show stays unchanged. */
export function accessIn(form: Form, before: readonly string[]): MemberAccess {
  const shown = form.all('shown')
  const kept = before.filter((id) => !shown.includes(id))
  const workspace_ids = [...new Set([...kept, ...form.all('workspace')])]
  return { role: form.get('role') === 'owner' ? 'owner' : 'member', workspace_ids }
}

/** Returns which of the selected workspaces the agency has. One may have been deleted since the form was shown. */
export async function ownAmong(
  { owner }: SettingsDeps,
  agencyId: string,
  { role, workspace_ids }: MemberAccess,
): Promise<MemberAccess> {
  const own = where.and(where.eq('agency_id', agencyId), where.in('id', [...workspace_ids]))
  const found = await owner.rows(Workspace).list({ where: own, limit: workspace_ids.length + 1 })
  return { role, workspace_ids: found.map(({ id }) => id) }
}

const roles = [
  ['member', 'Member', 'Works in the workspaces selected below.'],
  [
    'owner',
    'Owner',
    'Has full access to keys, apps, domains, people and all workspaces. Can also remove your access.',
  ],
] as const

export const RoleFields = ({ of: role }: { readonly of: Role }) => (
  <fieldset>
    <legend>Role</legend>
    {roles.map(([value, label, hint]) => (
      <div key={value} class="check">
        <input
          type="radio"
          id={`role-${value}`}
          name="role"
          value={value}
          defaultChecked={value === role}
          aria-describedby={`role-${value}-hint`}
        />
        <label for={`role-${value}`}>{label}</label>
        <div class="hint" id={`role-${value}-hint`}>
          {hint}
        </div>
      </div>
    ))}
  </fieldset>
)

export const Workspaces = ({ choices, given }: { choices: Choices; given: readonly string[] }) => (
  <fieldset>
    <legend>Workspaces of a member</legend>
    {choices.shown.map(({ id, name }) => (
      <div key={id}>
        <input type="hidden" name="shown" value={id} />
        <Checkbox name="workspace" value={id} label={<Name>{name}</Name>} checked={given.includes(id)} />
      </div>
    ))}
    {choices.hasMore && (
      <p class="hint">This list is not complete. You can add others on the person's own page.</p>
    )}
  </fieldset>
)
