import type { Registry } from '../../../registry/registry'
import type { WorkspaceAccess } from '../../framework/workspace-access'
import type { SettingsDeps } from '../settings/settings'
import type { NamesDeps } from './naming'

/** The dependencies of the first steps. */
export interface StartDeps extends SettingsDeps, NamesDeps {
  readonly places: Pick<WorkspaceAccess, 'maySeeDemo'>
  /** The pages that plugins declare, so that the steps link only to existing ones. */
  readonly declared: Registry['pages']
}
