import type { WorkspaceInfo } from '../contracts/context'
import { type Fault, Refusal } from '../contracts/errors'
import { nearest } from '../kit/suggest'

/** A workspace and its name. */
export type NamedWorkspace = WorkspaceInfo & { readonly name: string }

const listedMax = 10

/** Ids of workspaces begin with it, and names do not. */
const idStart = 'wsp_'

/** Whether a text can be the name of a workspace. */
export const canBeName = (text: string): boolean =>
  text.length <= 200 && text.trim() !== '' && !text.startsWith(idStart)

/**
 * Returns the workspace with this id or name. Throws a Refusal with the candidates if no workspace has the name, or
 * several have. `readable` are the workspaces of the caller, so the answer has nothing about others. It is the same in a header, in
 * an argument and in a list.
 */
export function namedWorkspace<W extends Pick<NamedWorkspace, 'id' | 'name'>>(
  readable: readonly W[],
  text: string,
  at: Partial<Fault>,
): W {
  const byId = readable.find(({ id }) => id === text)
  if (byId) return byId
  const found = canBeName(text) ? readable.filter(({ name }) => isWorkspaceName(name, text)) : []
  const [only] = found
  if (only && found.length === 1) return only
  if (only) throw severalNamed(found, at)
  throw noneNamed(text, readable, at)
}

/** Whether a text names the workspace with this name. Capital letters and spaces around it do not matter. */
export const isWorkspaceName = (name: string, text: string): boolean => folded(name) === folded(text)

const folded = (text: string): string => text.normalize('NFC').trim().toLowerCase()

function severalNamed(found: readonly Pick<NamedWorkspace, 'id'>[], at: Partial<Fault>): Refusal {
  const allowed = found.slice(0, listedMax).map(({ id }) => id)
  const message = `names ${found.length} workspaces. Send one of these ids`
  const code = at.pointer === undefined ? 'invalid_parameter' : 'invalid_field'
  return new Refusal(code, `The workspace ${message}: ${allowed.join(', ')}.`, {
    errors: [{ ...at, code: 'ambiguous', message, allowed }],
  })
}

function noneNamed(
  text: string,
  readable: readonly Pick<NamedWorkspace, 'name'>[],
  at: Partial<Fault>,
): Refusal {
  const names = readable.map(({ name }) => name)
  const meant = canBeName(text) ? nearest(text, names) : undefined
  const message = 'is no workspace that this credential reads'
  const fault = { ...at, code: 'not_found', message, allowed: names.slice(0, listedMax) }
  return new Refusal('workspace_not_readable', 'This credential cannot read the workspace.', {
    hint: 'GET /api/entities/Workspace lists the workspaces that this credential can read.',
    errors: [meant === undefined ? fault : { ...fault, did_you_mean: meant }],
  })
}
