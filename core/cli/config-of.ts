import { type Config, readConfig } from '../process/config'
import { StartError } from '../process/start-error'

/** The settings of this process. Throws a StartError that names every setting that cannot be used. */
export function configOf(env: Readonly<Record<string, string | undefined>>): Config {
  try {
    return readConfig(env)
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error))
  }
}
