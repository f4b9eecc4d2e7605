import type { SettingDeclarations } from '../contracts/setting'
import { readSettings, type Settings } from '../contracts/settings'

/** The settings of a process, with all defaults applied. */
export interface Config extends Settings {
  readonly apiUrl: string
  readonly ingestUrl: string
}

/**
 * Reads the settings, with those of plugins, and computes the public origins. Ports of 0 are known only after
 * listening.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  declared: SettingDeclarations = {},
): Config {
  const read = readSettings(env, declared)
  if (read.SMTP_URL !== '' && read.MAIL_FROM === '') {
    throw new Error('MAIL_FROM: required where SMTP_URL is set, such as Renown <news@example.com>')
  }
  const settings = {
    ...read,
    RENOWN_URL: originOf('RENOWN_URL', read.RENOWN_URL),
    RENOWN_INGEST_URL: originOf('RENOWN_INGEST_URL', read.RENOWN_INGEST_URL),
  }
  return withPorts(settings, settings.PORT, settings.INGEST_PORT)
}

/** Returns a public origin. Credentials are sent to it, so http is allowed only on loopback. */
function originOf(name: string, text: string): string {
  if (text === '') return ''
  const url = URL.parse(text)
  const isBare =
    url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  if (!isBare || !/^https?:$/.test(url.protocol)) {
    throw new Error(`${name}: expected an origin such as https://renown.example.com, without a path`)
  }
  if (url.protocol === 'https:' || loopback.has(url.hostname)) return url.origin
  throw new Error(`${name}: https is required except on loopback`)
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The same configuration once the ports are known. */
export function withPorts(settings: Settings, port: number, ingestPort: number): Config {
  return {
    ...settings,
    apiUrl: settings.RENOWN_URL || `http://localhost:${port}`,
    ingestUrl: settings.RENOWN_INGEST_URL || `http://localhost:${ingestPort}`,
  }
}
