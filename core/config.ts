import { readSettings, type Settings } from './contracts/settings'

/** The settings of a process with every default worked out. */
export interface Config extends Settings {
  readonly apiUrl: string
  readonly ingestUrl: string
}

/** Reads the settings and works out the public origins; ports of 0 are known only after listening. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const settings = readSettings(env)
  return withPorts(settings, settings.PORT, settings.INGEST_PORT)
}

/** The same configuration once the ports are known. */
export function withPorts(settings: Settings, port: number, ingestPort: number): Config {
  return {
    ...settings,
    apiUrl: settings.RENOWN_URL || `http://localhost:${port}`,
    ingestUrl: settings.RENOWN_INGEST_URL || `http://localhost:${ingestPort}`,
  }
}
