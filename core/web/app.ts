import type { OAuth } from '../auth/oauth/index'
import { createSessions } from '../auth/sessions'
import type { Clock } from '../clock'
import type { Config } from '../config'
import type { Log } from '../contracts/plugin'
import { problemOf } from '../gateway/problem'
import type { Documents } from '../stores/documents/port'
import { definePage } from './define-page'
import { designPage } from './design'
import { createPages, type Pages } from './routes'

export interface AppDeps {
  readonly documents: Documents
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  /** The apps that may come in for somebody. */
  readonly oauth: OAuth
}

/** The pages for people, put together. The bar at the top names them in this order. */
export function createApp({ documents, config, clock, log, oauth }: AppDeps): Pages {
  const sessions = createSessions({ documents, clock })
  return createPages({
    documents,
    clock,
    sessions,
    pages: [home, designPage, ...oauth.pages],
    explain: (error, { id, path }) => problemOf(error, { requestId: id, path, apiUrl: config.apiUrl, log }),
  })
}

const home = definePage({
  path: '/app',
  method: 'GET',
  auth: 'session',
  handle: ({ redirect }) => redirect('/app/design'),
})
