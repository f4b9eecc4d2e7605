import type { SettingDeclarations } from '../contracts/setting'
import { readSettings, type Settings } from '../contracts/settings'
import { type Environment, withSettingFiles } from './setting-files'

/** The settings of a process, with all defaults applied. */
export interface Config extends Settings {
  readonly apiUrl: string
  readonly ingestUrl: string
}

/**
 * Reads the settings, with those of plugins and those in files, and computes the public origins. Ports of 0 are known only after
 * listening.
 */
export function readConfig(env: Environment, declared: SettingDeclarations = {}): Config {
  const read = readSettings(withSettingFiles(env, declared), declared)
  if (read.SMTP_URL !== '' && read.MAIL_FROM === '') {
    throw new Error('MAIL_FROM: required where SMTP_URL is set, such as Renown <news@example.com>')
  }
  const role = read.RENOWN_ROLE
  if (role !== 'all' && (read.MONGODB_URI === '' || read.CLICKHOUSE_URL === '')) {
    throw new Error(
      `RENOWN_ROLE: ${role} needs MONGODB_URI and CLICKHOUSE_URL, because processes of several roles share their stores`,
    )
  }
  const settings = {
    ...read,
    // With roles of their own, each process does one thing.
    RENOWN_INGEST: role === 'all' ? read.RENOWN_INGEST : ('off' as const),
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

/** Whether stored credentials cannot be encrypted: documents are on a server, and no key is set. */
export const lacksSecretsKey = ({ MONGODB_URI, SECRETS_KEY }: Settings): boolean =>
  MONGODB_URI !== '' && SECRETS_KEY.length === 0
