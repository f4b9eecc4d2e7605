import type { OAuth } from '../../auth/oauth'
import { createMembers } from '../../auth/people/members'
import { createOwnerLinks } from '../../auth/people/owner-link'
import { createPasswords } from '../../auth/people/passwords'
import { createPeople } from '../../auth/people/people'
import { createSteps } from '../../auth/people/steps'
import { createSessions } from '../../auth/sessions'
import type { ContextDeps } from '../../contexts/context'
import type { PageCounter } from '../../contracts/page'
import type { Log, OwnerContext } from '../../contracts/plugin'
import type { Clock } from '../../process/clock'
import type { Config } from '../../process/config'
import type { Limits } from '../../requests/limits'
import { problemOf, retryAfterOf } from '../../requests/problem'
import type { ColumnsStore } from '../../stores/columns/port'
import type { Documents } from '../../stores/documents/port'
import type { Audit } from '../../tenancy/audit/audit'
import { setPersonRights } from '../../transfer/person'
import { createWorkspaceData } from '../../transfer/workspace'
import { createSetupSteps } from '../frame/desk/setup-steps'
import { createPages, type Pages } from '../frame/routes'
import { workspacePages } from '../frame/switcher'
import { declaredPages } from '../framework/app-pages'
import type { Bundle } from '../framework/bundle'
import { createDownloadSlots } from '../framework/downloads/download-slots'
import { createDownloads } from '../framework/downloads/downloads'
import { forPeople } from '../framework/for-people'
import type { AppPageDeps } from '../framework/page-context'
import { createStreams } from '../framework/streams/events'
import { createStreamAudience } from '../framework/streams/stream-audience'
import { createStreamSlots } from '../framework/streams/stream-slots'
import { createWorkspaceAccess } from '../framework/workspace-access'
import { accountPages } from './account/account'
import { lookPages } from './account/look-pages'
import { twoStepPages } from './account/two-step'
import { invitationPages } from './clients/invite'
import { managingPages } from './clients/manage'
import { demoPages } from './demo/demo'
import { designPage } from './design/design'
import { docsPages } from './docs/docs'
import { docsAssets } from './docs/docs-asset'
import { homePages } from './home/home'
import { mailPages } from './notifications/mail'
import { notificationPages } from './notifications/notifications'
import { stopMailPages } from './notifications/stop-mail'
import { authorizationPages } from './oauth/consent'
import { appPages } from './settings/apps'
import { choiceOfAccountsPages } from './settings/choose-accounts'
import { connectPages } from './settings/connect'
import { connectionLocationPages } from './settings/connection-locations'
import { connectionPages } from './settings/connections'
import { dataPages } from './settings/data'
import { domainPages } from './settings/domains'
import { keyPages } from './settings/key'
import { memberPages } from './settings/members'
import { personRightsPages } from './settings/person-rights'
import type { SettingsDeps } from './settings/settings'
import { codePages } from './sign-in/code'
import { confirmPages } from './sign-in/confirm'
import { linkPages } from './sign-in/link'
import type { PersonPageDeps } from './sign-in/person-pages'
import { signInPages } from './sign-in/sign-in'
import { welcomePages } from './sign-in/welcome'
import { startPages } from './start/start'
import type { StartDeps } from './start/start-deps'

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
    workspaceData,
    downloads,
  }
  // Set already where the product runs. A gate of its own has no data folder.
  setPersonRights({ ...deps, registry, folder: null })
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
    assets: docsAssets,
    streams: slots.load,
    limits: deps.limits,
    steps: createSetupSteps({ owner, clock, log }),
    pages: [
      ...homePages({ ...declared, ...start, places, oauth }),
      ...startPages(start),
      ...demoPages({ ...stored, owner, sessions, places, plugins: [...registry.plugins.values()] }),
      ...declaredPages(declared),
      ...managingPages(settings),
      ...invitationPages(settings),
      ...workspacePages({ places, sessions }),
      ...notificationPages({ owner }),
      ...mailPages({ owner }),
      ...stopMailPages({ owner }),
      ...lookPages(person),
      ...docsPages({ registry, config }),
      ...settingsPages
        .flatMap((make) => make(settings))
        .map((page) => ({ navOrder: 80, ...page, ...ofOwners })),
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
  dataPages,
  personRightsPages,
]
const ofOwners = { only: 'owner', section: 'settings' } as const
