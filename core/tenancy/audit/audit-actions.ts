/** All audit events of core, with their text for people. The part before the dot is the kind. */
export const auditActions = {
  'key.create': 'Agent key created',
  'key.rotate': 'Agent key rotated',
  'key.revoke': 'Agent key revoked',
  'app.consent': 'App allowed',
  'app.deny': 'App refused',
  'app.connect': 'App connected',
  'app.disconnect': 'App disconnected',
  'app.revoked_by_app': 'App disconnected itself',
  'app.refresh_again': 'App renewed its access twice with one token',
  'app.code_replayed': 'App disconnected: its code was shown twice',
  'app.refresh_token_reused': 'App disconnected: an old token of it was used',
  'app.password_changed': 'App disconnected: the person who allowed it has a new password',
  'app.person_left': 'App disconnected: the person who allowed it is no longer an owner',
  'app.domain_removed': 'App disconnected: its domain was removed',
  'domain.add': 'Domain added',
  'domain.verify': 'Domain verified',
  'domain.lapse': 'Domain removed: its record was missing for too long',
  'domain.remove': 'Domain removed',
  'person.sign_in': 'Signed in',
  'person.sign_out': 'Signed out',
  'person.owner_link': 'Signed in by an owner link',
  'person.owner_link_made': 'Owner link made',
  'person.confirm': 'Password given again',
  'person.second_factor': 'Second step of signing in',
  'person.second_factor_on': 'Two-step sign-in turned on',
  'person.second_factor_off': 'Two-step sign-in turned off',
  'person.recovery_codes': 'New recovery codes made',
  'person.recovery_code': 'Signed in with a recovery code',
  'person.password_set': 'Password set',
  'person.invite': 'Person invited',
  'person.link_made': 'One-time link created for somebody',
  'person.change': 'Role or workspaces changed',
  'person.deactivate': 'Person deactivated',
  'person.activate': 'Access given back',
  'workspace.name': 'Agency and workspace named',
  'workspace.add': 'Workspace added',
  'workspace.rename': 'Workspace renamed',
  'workspace.archive': 'Workspace archived',
  'workspace.restore': 'Workspace restored',
  'workspace.redact': 'Contact details of leads hidden from credentials',
  'workspace.unredact': 'Contact details of leads shown to credentials again',
  'workspace.demo': 'Demo made',
  'workspace.demo_remove': 'Demo removed',
  'workspace.export': 'Data of a workspace downloaded',
  'workspace.delete': 'Workspace deleted',
  'workspace.empty': 'Data of a workspace deleted',
  'location.add': 'Location added',
  'location.change': 'Location changed',
  'location.activate': 'Location activated',
  'location.deactivate': 'Location deactivated',
  'location.sign': 'Prospect signed',
  'location.exempt': 'Location exempted from capacity',
  'location.count': 'Location counted towards capacity again',
  'location.trial_start': 'Trial started',
  'location.trial_cancel': 'Trial cancelled',
  'location.trial_convert': 'Trial ended: location became a paid one',
  'location.trial_end': 'Trial ended: location deactivated',
  'location.capacity': 'Paid capacity changed',
  'person.sessions_ended': 'Signed out everywhere else',
  'connection.add': 'Account with a service connected',
  'connection.renew': 'Account with a service connected again',
  'connection.remove': 'Account with a service removed',
} as const

export type AuditAction = keyof typeof auditActions
export const auditKinds = [
  'key',
  'app',
  'domain',
  'person',
  'workspace',
  'location',
  'site',
  'connection',
] as const
export type AuditKind = (typeof auditKinds)[number]

export const kindOf = (action: string): AuditKind => action.slice(0, action.indexOf('.')) as AuditKind

/** Returns the text of an audit event: core's, its plugin's, or its code. */
export const actionWords = ({
  action,
  what,
}: {
  readonly action: string
  readonly what?: string | undefined
}): string => (Object.hasOwn(auditActions, action) ? auditActions[action as AuditAction] : (what ?? action))
