import { field, foreignEntity } from 'renown'

/** The workspace as far as its agency's rules need it. */
export const WorkspaceOwner = foreignEntity('Workspace', {
  agency_id: field.text('Agency that owns the workspace'),
})
