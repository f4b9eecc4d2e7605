import type { OAuth } from '../auth/oauth/index'
import { createMembers } from '../auth/people/members'
import { createOwnerLinks } from '../auth/people/owner-link'
import { createPasswords } from '../auth/people/passwords'
import { createPeople } from '../auth/people/people'
import { createSteps } from '../auth/people/steps'
import { createSessions } from '../auth/sessions'
import type { ContextDeps } from '../contexts/context'
import type { PageCounter } from '../contracts/page'
import type { Log, OwnerContext } from '../contracts/plugin'
import type { Clock } from '../process/clock'
import type { Config } from '../process/config'
import type { Limits } from '../requests/limits'
import { problemOf, retryAfterOf } from '../requests/problem'
import type { ColumnsStore } from '../stores/columns/port'
import type { Documents } from '../stores/documents/port'
import type { Audit } from '../tenancy/audit/audit'
import { createWorkspaceData } from '../transfer/workspace'
import { accountPages } from './account/account'
import { twoStepPages } from './account/two-step'
import { declaredPages } from './app-pages'
import type { Bundle } from './bundle'
import { clientPages } from './clients/clients'
import { demoPages } from './demo/demo'
import { lookPages } from './desk/look-pages'
import { createSetupSteps } from './desk/setup-steps'
import { docsPages } from './docs/docs'
import { createDownloadSlots } from './downloads/download-slots'
import { createDownloads } from './downloads/downloads'
import { forPeople } from './for-people'
import { homePages } from './home/home'
import { mailPages } from './notifications/mail'
import { notificationPages } from './notifications/notifications'
import { stopMailPages } from './notifications/stop-mail'
import { authorizationPages } from './oauth/consent'
import type { AppPageDeps } from './page-context'
import { designPage } from './parts/design'
import type { PersonPageDeps } from './person-pages'
import { createPages, type Pages } from './routes'
import { activityPages } from './settings/activity'
import { appPages } from './settings/apps'
import { choiceOfAccountsPages } from './settings/choose-accounts'
import { connectPages } from './settings/connect'
import { connectionLocationPages } from './settings/connection-locations'
import { connectionPages } from './settings/connections'
import { dataPages } from './settings/data'
import { domainPages } from './settings/domains'
import { keyPages } from './settings/key'
import { listPages } from './settings/lists'
import { memberPages } from './settings/members'
import type { SettingsDeps } from './settings/settings'
import { codePages } from './sign-in/code'
import { confirmPages } from './sign-in/confirm'
import { linkPages } from './sign-in/link'
import { signInPages } from './sign-in/sign-in'
import { welcomePages } from './sign-in/welcome'
import { startPages } from './start/start'
import type { StartDeps } from './start/start-deps'
import { createStreams } from './streams/events'
import { createStreamAudience } from './streams/stream-audience'
import { createStreamSlots } from './streams/stream-slots'
import { workspacePages } from './switcher'
import { createWorkspaceAccess } from './workspace-access'

export interface AppDeps {
  readonly documents: Documents
  readonly columns: ColumnsStore
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  /** The apps that ask for access. */
  readonly oauth: OAuth
  /** Counts page requests. */
  readonly limits: Pick<Limits, 'count'>
  readonly audit: Audit
  readonly owner: OwnerContext
  /** The context that pages of plugins read with. */
  readonly context: ContextDeps
  readonly bundle: Bundle
  /** Null if the ingest does not run with this `bun start`. */
  readonly counter: PageCounter | null
}

/** Creates the pages for people. The navigation lists them in this order. */
export function createApp(deps: AppDeps): Pages {
  const { documents, config, clock, log, oauth, audit, owner, bundle } = deps
  const stored = { documents, clock }
  const sessions = createSessions(stored)
  const slots = createStreamSlots({
    perPerson: config.STREAMS_PER_PERSON_MAX,
    perWorkspace: config.STREAMS_PER_WORKSPACE_MAX,
    all: config.STREAMS_MAX,
  })
  const passwords = createPasswords(navigator.hardwareConcurrency)
  const person: PersonPageDeps = {
    people: createPeople({ ...stored, passwords, secrets: owner.outbound.secrets }),
    sessions,
    steps: createSteps(stored),
    links: createOwnerLinks(stored),
    audit,
    oauth,
  }
  const places = createWorkspaceAccess(stored)
  const members = createMembers({ ...person, owner })
  const { registry } = deps.context
  const workspaceData = createWorkspaceData({ ...deps, registry })
  const downloads = createDownloads({ slots: createDownloadSlots({ perPerson: 2, perAgency: 6 }), log })
  const settings: SettingsDeps = {
    owner,
    audit,
    oauth,
    members,
    counter: deps.counter,
    workspaceData,
    downloads,
  }
  const pages = [signInPages, codePages, linkPages, welcomePages, confirmPages, accountPages, twoStepPages]
  const declared: AppPageDeps = {
    bundle,
    owner,
    context: deps.context,
    counter: deps.counter,
    places,
    downloads,
    pages: [...registry.pages.values()],
    streams: createStreams({ mayListen: createStreamAudience({ documents, sessions, places }), log, slots }),
  }
  const start: StartDeps = { ...settings, places, declared: registry.pages }
  return createPages({
    ...stored,
    sessions,
    places,
    bundle,
    streams: slots.load,
    limits: deps.limits,
    steps: createSetupSteps({ owner, clock, log }),
    pages: [
      ...homePages({ ...declared, ...start, places, oauth }),
      ...startPages(start),
      ...demoPages({ ...stored, owner, sessions, places, plugins: [...registry.plugins.values()] }),
      ...declaredPages(declared),
      ...clientPages({ ...settings, context: deps.context }),
      ...workspacePages({ places, sessions }),
      ...notificationPages({ owner }),
      ...mailPages({ owner }),
      ...stopMailPages({ owner }),
      ...lookPages(person),
      ...docsPages({ registry, config }),
      ...settingsPages.flatMap((make) => make(settings)).map((page) => ({ ...page, ...ofOwners })),
      ...pages.flatMap((make) => make(person)),
      designPage,
      ...authorizationPages({ documents, ...oauth.authorization }),
    ],
    explain: (error, { id, path }) => ({
      ...problemOf(forPeople(error), { requestId: id, path, apiUrl: config.apiUrl, log }),
      retryAfterSeconds: retryAfterOf(error),
    }),
  })
}

/** The settings pages, in the order of the navigation. */
const settingsPages = [
  keyPages,
  appPages,
  memberPages,
  domainPages,
  connectionPages,
  connectPages,
  choiceOfAccountsPages,
  connectionLocationPages,
  listPages,
  dataPages,
  activityPages,
]
const ofOwners = { only: 'owner', section: 'settings', navOrder: 90 } as const
