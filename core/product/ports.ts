import type { Config } from '../process/config'
import { type Listener, openListener } from '../process/listeners'
import type { Shutdown } from '../process/shutdown'
import type { SupervisorLink } from '../supervise/part'
import type { ServeDeps } from './serve-deps'

/** The ports of the gateway and of an ingest in the same process. */
export interface Listeners {
  readonly api: Listener
  readonly ingest: Listener | null
}

/** Opens the ports before anything is created, so that a taken one ends the start. */
export function openListeners(
  config: Config,
  supervisor: SupervisorLink | undefined,
  shutdown: Shutdown,
): Listeners {
  const api = openListener('PORT', config.HOST, config.PORT)
  shutdown.add('gateway port', () => api.close(1_000))
  supervisor?.listening(api.port)
  if (config.RENOWN_INGEST === 'off' || supervisor) return { api, ingest: null }
  const ingest = openListener('INGEST_PORT', config.HOST, config.INGEST_PORT)
  shutdown.add('ingest port', () => ingest.close(1_000))
  return { api, ingest }
}

/** Waits until the ingest of another process has its port, so that nothing is created if that fails. */
export async function ingestPortOf(
  { ingest }: Listeners,
  settings: Config,
  { supervisor }: ServeDeps,
): Promise<number> {
  if (ingest) return ingest.port
  return supervisor && settings.RENOWN_INGEST === 'on' ? supervisor.portOf('ingest') : settings.INGEST_PORT
}
