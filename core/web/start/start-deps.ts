import type { Registry } from '../../registry/registry'
import type { Places } from '../places'
import type { SettingsDeps } from '../settings/settings'
import type { NamesDeps } from './names'

/** What the first steps need. */
export interface StartDeps extends SettingsDeps, NamesDeps {
  readonly places: Pick<Places, 'maySeeDemo'>
  /** The pages that plugins declare, to lead on to those that are there. */
  readonly declared: Registry['pages']
}
