import type { Grant } from './grants/grants'

/** An audit event about a connected app. Contains no token and no IP address. */
export type AppEvent =
  | 'app.consent'
  | 'app.deny'
  | 'app.connect'
  | 'app.revoked_by_app'
  | 'app.refresh_again'
  | 'app.code_replayed'
  | 'app.refresh_token_reused'
  | 'app.password_changed'
  | 'app.person_left'

export type Report = (
  about: Pick<Grant, 'agency_id' | 'user_id' | 'host' | 'client_id' | 'client_name'> & {
    readonly id?: string
  },
  action: AppEvent,
  outcome?: 'done' | 'refused',
) => Promise<void>
