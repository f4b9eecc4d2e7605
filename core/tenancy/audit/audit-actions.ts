import type { AuditKind } from '../../contracts/audit-event'

/**
 * The audit events of core that no act declares, with their text for people. The part before the dot is the kind.
 */
export const auditActions = {
  'app.consent': 'App allowed',
  'app.deny': 'App refused',
  'app.connect': 'App connected',
  'app.revoked_by_app': 'App disconnected itself',
  'app.refresh_again': 'App renewed its access twice with one token',
  'app.code_replayed': 'App disconnected: its code was shown twice',
  'app.refresh_token_reused': 'App disconnected: an old token of it was used',
  'app.password_changed': 'App disconnected: the person who allowed it has a new password',
  'app.person_left': 'App disconnected: the person who allowed it is no longer an owner',
  'app.domain_removed': 'App disconnected: its domain was removed',
  'app.event_hosts': 'Callback hosts for events changed',
  'app.event_stop': 'Event subscription of an app stopped',
  'app.event_allow': 'Stopped events of an app allowed again',
  'domain.verify': 'Domain verified',
  'domain.lapse': 'Domain removed: its record was missing for too long',
  'person.sign_in': 'Signed in',
  'person.sign_out': 'Signed out',
  'person.owner_link': 'Signed in by an owner link',
  'person.confirm': 'Password given again',
  'person.second_factor': 'Second step of signing in',
  'person.second_factor_on': 'Two-step sign-in turned on',
  'person.second_factor_off': 'Two-step sign-in turned off',
  'person.recovery_codes': 'New recovery codes made',
  'person.recovery_code': 'Signed in with a recovery code',
  'person.password_set': 'Password set',
  'person.change': 'Role or workspaces changed',
  'person.search': 'Data searched for one person',
  'person.erase': 'Data about one person erased',
  'workspace.name': 'Agency and workspace named',
  'workspace.demo': 'Demo made',
  'workspace.export': 'Data of a workspace downloaded',
  'workspace.delete': 'Workspace deleted',
  'workspace.empty': 'Data of a workspace deleted',
  'location.add': 'Location added',
  'location.change': 'Location changed',
  'location.activate': 'Location activated',
  'location.sign': 'Prospect signed',
  'location.trial_start': 'Trial started',
  'location.trial_cancel': 'Trial cancelled',
  'location.trial_convert': 'Trial ended: location became a paid one',
  'location.trial_end': 'Trial ended: location deactivated',
  'person.sessions_ended': 'Signed out everywhere else',
  'connection.add': 'Account with a service connected',
  'connection.renew': 'Account with a service connected again',
} as const

export type AuditAction = keyof typeof auditActions
export const kindOf = (action: string): AuditKind => action.slice(0, action.indexOf('.')) as AuditKind

/** Returns the text of an audit event: core's, its plugin's, or its code. */
export const actionWords = ({
  action,
  what,
}: {
  readonly action: string
  readonly what?: string | undefined
}): string => (Object.hasOwn(auditActions, action) ? auditActions[action as AuditAction] : (what ?? action))
