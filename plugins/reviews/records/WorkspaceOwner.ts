import { field, foreignEntity } from 'renown'

/** The fields of a workspace that its agency's rules need. */
export const WorkspaceOwner = foreignEntity('Workspace', {
  agency_id: field.text('Agency that owns the workspace'),
})
