import { messageOf } from '../contracts/errors'
import type { SettingDeclarations } from '../contracts/setting'
import { type Config, readConfig } from '../process/config'
import { StartError } from '../process/start-error'

/**
 * Returns the settings of this process, with those of plugins. Throws a StartError that names every invalid
 * setting.
 */
export function configOf(
  env: Readonly<Record<string, string | undefined>>,
  declared: SettingDeclarations = {},
): Config {
  try {
    return readConfig(env, declared)
  } catch (error) {
    throw new StartError(messageOf(error))
  }
}
