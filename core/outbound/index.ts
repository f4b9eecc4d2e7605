import type { Providers } from '../contracts/connection'
import type { Mail } from '../contracts/mail'
import type { Outbound } from '../contracts/outbound'
import type { Log } from '../contracts/plugin'
import type { Settings } from '../contracts/settings'
import type { News, Publish } from '../contracts/upkeep'
import type { Clock } from '../process/clock'
import type { Documents } from '../stores/documents/port'
import { createAskService } from './ask-service'
import { createConnections } from './connections'
import { createReadSocket } from './fetch/read-socket'
import { createResolver } from './fetch/resolver'
import { createSafeFetch } from './fetch/safe-fetch'
import { createCorrect, createSpend } from './limits/allowance'
import { rateLimits } from './limits/limits'
import { createPace } from './limits/pace'
import { createMail } from './mail/smtp'
import { createModel } from './model/model'
import type { Reach } from './reach'
import { createSecrets } from './secrets'
import type { FetchSigner } from './signing/fetch-signer'

export interface OutboundDeps {
  readonly settings: Settings
  /** The services whose accounts people connect. */
  readonly providers: Providers
  readonly documents: Documents
  readonly clock: Clock
  readonly log: Log
  /** The data folder. */
  readonly folder: string
  /** Signs requests to websites. Default: they are not signed. */
  readonly signer?: Pick<FetchSigner, 'sign'>
  /** Remembers which services do not answer. */
  readonly reach: Reach
  /** Notifies people that a connection broke. */
  readonly notify: (news: News) => Promise<void>
  /** Records that a connection broke. */
  readonly publish: Publish
}

/** Creates everything that makes outbound requests, from the settings. */
export function createOutbound({
  settings,
  providers,
  documents,
  clock,
  log,
  folder,
  signer,
  reach,
  notify,
  publish,
}: OutboundDeps): Outbound {
  const paced = createPace({ documents, clock, limits: rateLimits(providers, settings) })
  const ask = paced(createAskService({ now: clock.now, reach }))
  const spend = createSpend({ documents, clock })
  // Processes that share documents on a server must share the key too, so none is created automatically.
  const own = documents.kind === 'sqlite' ? folder : null
  const secrets = createSecrets({ keys: settings.SECRETS_KEY, folder: own })
  const dns = createResolver({ servers: settings.DNS_SERVERS })
  return {
    ask,
    dns,
    safeFetch: createSafeFetch({ dns, log, ...(signer ? { sign: signer.sign } : {}) }),
    readSocket: createReadSocket({ dns }),
    spend,
    correct: createCorrect({ documents, clock }),
    secrets,
    connections: createConnections({
      documents,
      clock,
      secrets,
      ask,
      notify,
      publish,
      providers,
      settings,
    }),
    mail: watchedMail(createMail(settings), settings.SMTP_URL, reach),
    model: createModel({ settings, ask, spend, log }),
  }
}

/** Remembers whether the mail server answers. */
const watchedMail = (mail: Mail, url: string, reach: Reach): Mail =>
  mail.isConfigured
    ? { ...mail, send: (message) => reach.watched(new URL(url).hostname, () => mail.send(message)) }
    : mail
