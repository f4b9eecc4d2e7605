/** @jsxImportSource ../../kit/jsx */

import { appDisconnect } from '../../../auth/oauth/commands'
import type { ConnectedApp } from '../../../auth/oauth/grants/grants'
import { isRefusal } from '../../../contracts/errors'
import { where } from '../../../contracts/where'
import { sentenceAfter } from '../../../kit/acts/on-page'
import { Workspace } from '../../../tenancy/Workspace'
import { actAs } from '../../framework/done-by'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { frameWords } from '../../framework/words'
import { Badge, Button, ButtonLink, Card, Facts, Form, Head, Moment, Row } from '../../kit/parts/kit'
import { Callbacks, callbackPages, eventNotices, loadCallbacks, type TypedHosts } from './event-callbacks'
import { confirmDialog, Done, hostOf, Name, type SettingsDeps } from './settings'

const path = '/app/apps'
const onePath = '/app/apps/disconnect'
const allPath = '/app/apps/disconnect-all'

const told = {
  one: sentenceAfter(appDisconnect),
  all: 'Every app is disconnected. Each needs your permission to connect again.',
  gone: 'The app was already disconnected.',
  ...eventNotices,
}

/** The connected apps, and how to disconnect them. */
export const appPages = (deps: SettingsDeps): Route[] => [
  defineRoute({
    path,
    method: 'GET',
    nav: frameWords('navApps'),
    auth: 'session',
    handle: (visit) => show(deps, visit),
  }),
  defineRoute({
    path: onePath,
    method: 'POST',
    auth: 'session',
    back: path,
    async handle(visit) {
      const apps = await deps.oauth.grants(visit.person.agency_id)
      const own = apps.filter(({ grant_id }) => grant_id === visit.form.get('grant'))
      const ended = await disconnect(deps, visit, own)
      return visit.redirect(`${path}?done=${ended > 0 ? 'one' : 'gone'}`)
    },
  }),
  defineRoute({
    path: allPath,
    method: 'GET',
    auth: 'recent',
    async handle(visit) {
      const apps = await deps.oauth.grants(visit.person.agency_id)
      if (apps.length === 0) return visit.redirect(path)
      return confirmDialog(visit, {
        title: 'Disconnect every app?',
        button: apps.length === 1 ? 'Disconnect the one app' : `Disconnect all ${apps.length} apps`,
        children: (
          <>
            <p>These stop working at once, until somebody connects them again:</p>
            <ul>
              {apps.map(({ grant_id, name }) => (
                <li key={grant_id}>
                  <Name>{name}</Name>
                </li>
              ))}
            </ul>
            <p>The agent key keeps working.</p>
          </>
        ),
        action: allPath,
        back: path,
      })
    },
  }),
  defineRoute({
    path: allPath,
    method: 'POST',
    auth: 'recent',
    back: allPath,
    async handle(visit) {
      await disconnect(deps, visit, await deps.oauth.grants(visit.person.agency_id))
      return visit.redirect(`${path}?done=all`)
    },
  }),
  ...callbackPages(deps, (visit, typed) => show(deps, visit, typed)),
]

/** Disconnects apps of the agency. Returns how many, because somebody else may disconnect one at the same time. */
async function disconnect({ owner }: SettingsDeps, visit: SignedIn, apps: readonly ConnectedApp[]) {
  let ended = 0
  for (const { grant_id } of apps) {
    try {
      await actAs(owner, visit, appDisconnect, { grant_id })
      ended += 1
    } catch (error) {
      if (!isRefusal(error) || error.code !== 'not_found') throw error
    }
  }
  return ended
}

async function show(deps: SettingsDeps, visit: SignedIn, typed?: TypedHosts): Promise<Response> {
  const { owner, oauth } = deps
  const { person, page, host } = visit
  const [apps, workspaces, callbacks] = await Promise.all([
    oauth.grants(person.agency_id),
    owner.rows(Workspace).list({ where: where.eq('agency_id', person.agency_id), limit: 10_000 }),
    loadCallbacks(deps, person.agency_id),
  ])
  const names = new Map(workspaces.map(({ id, name }) => [id, name]))
  const appNames = new Map(apps.map(({ grant_id, name }) => [`oauth:${grant_id}`, name]))
  const nameOf = (credential: string) =>
    credential.startsWith('oauth:') ? (appNames.get(credential) ?? 'a disconnected app') : 'the agent key'
  return page({
    title: typed ? 'Error: Connected apps' : 'Connected apps',
    status: typed ? 422 : 200,
    width: 'wide',
    children: (
      <>
        <Head title="Connected apps">
          Apps that you connected by signing in. Each can access what you allowed, at the host where you
          allowed it.
        </Head>
        {!typed && <Done visit={visit} told={told} />}
        {apps.length === 0 && (
          <Card>
            <div class="empty">
              <strong>No app is connected</strong>
              <span>
                Enter this address in an app to connect it: <code>{host.origin}/api/mcp</code>
              </span>
            </div>
          </Card>
        )}
        {apps.map((app) => (
          <App key={app.grant_id} app={app} names={names} csrf={visit.csrf} />
        ))}
        {apps.length > 0 && (
          <Row align="end">
            <ButtonLink href={allPath} kind="quiet">
              Disconnect every app
            </ButtonLink>
          </Row>
        )}
        {callbacks && (
          <Callbacks
            data={callbacks}
            typed={typed}
            nameOf={nameOf}
            csrf={visit.csrf}
            workspaceOf={(id) => names.get(id) ?? 'a deleted one'}
          />
        )}
      </>
    ),
  })
}

interface AppProps {
  readonly app: ConnectedApp
  readonly names: ReadonlyMap<string, string>
  readonly csrf: string
}

const App = ({ app, names, csrf }: AppProps) => (
  <section class="card" aria-labelledby={app.grant_id}>
    <Row align="apart">
      <h2 id={app.grant_id}>
        <Name>{app.name}</Name>
      </h2>
      {app.is_verified ? (
        <Badge tone="good">identified by its address</Badge>
      ) : (
        <Badge tone="warn">name not verified</Badge>
      )}
    </Row>
    <Facts
      of={[
        [app.is_verified ? 'Described at' : 'Sends you back to', <code key="app">{app.app_host}</code>],
        ['May', app.scopes.includes('write') ? 'read, and save drafts' : 'read'],
        ['Workspaces', workspacesOf(app, names)],
        ['Works at', <code key="host">{hostOf(app.host)}</code>],
        ['Connected', <Moment key="since" at={app.connected_at} />],
        ['Last used', <Moment key="used" at={app.last_used_at ?? undefined} />],
      ]}
    />
    <Form action={onePath} csrf={csrf} hidden={{ grant: app.grant_id }} inline>
      <Button kind="plain">
        <span>
          Disconnect <Name>{app.name}</Name>
        </span>
      </Button>
    </Form>
  </section>
)

function workspacesOf({ workspace_ids }: ConnectedApp, names: AppProps['names']) {
  if (!workspace_ids) return 'all, including future ones'
  return <Name>{workspace_ids.map((id) => names.get(id) ?? 'a deleted one').join(', ')}</Name>
}
