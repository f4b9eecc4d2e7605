import { field, foreignEntity } from 'renown'

/** The fields of a workspace that are needed to find its agency's rules. */
export const WorkspaceOwner = foreignEntity('Workspace', {
  agency_id: field.text('Agency that owns the workspace'),
})
