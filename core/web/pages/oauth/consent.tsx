/** @jsxImportSource ../../kit/jsx */

import type { Authorization } from '../../../auth/oauth'
import type { AuthorizationRequest } from '../../../auth/oauth/authorize'
import type { Client } from '../../../auth/oauth/clients/client'
import { isLoopback, redirectHost } from '../../../auth/oauth/clients/redirect-uri'
import type { Allowed } from '../../../auth/oauth/grants/decision'
import { oauthPath } from '../../../auth/oauth/route-table'
import { Refusal } from '../../../contracts/errors'
import { where } from '../../../contracts/where'
import type { Documents } from '../../../stores/documents/port'
import { Workspace } from '../../../tenancy/Workspace'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { Badge, Button, Card, Checkbox, Facts, Form, Head, Notice, Row } from '../../kit/parts/kit'
import { refusedPage } from './refused'

const consentPath = oauthPath('consent')
const workspacesMax = 200

export interface ConsentDeps extends Authorization {
  readonly documents: Documents
}

/** A workspace that the person can select. */
interface Choice {
  readonly id: string
  readonly name: string
}

/** The app's request, and the data of the consent page. */
interface Question {
  readonly asked: AuthorizationRequest
  readonly client: Client
  readonly choices: readonly Choice[]
}

/** The pages of the authorization server: where an app redirects people, and where they decide. */
export const authorizationPages = (deps: ConsentDeps): readonly Route[] => [
  defineRoute({
    path: oauthPath('authorize'),
    method: 'GET',
    auth: 'none',
    handle: (visit) =>
      deps.authorize(visit.state, visit.host, visit.session !== null, (refused) =>
        refusedPage(visit, refused),
      ),
  }),
  ...consentPages(deps),
]

/** Shows what an app asks for, every time. An earlier consent is never reused. */
function consentPages(deps: ConsentDeps): readonly Route[] {
  const questionOf = createQuestion(deps)
  return [
    defineRoute({
      path: consentPath,
      method: 'GET',
      auth: 'session',
      only: 'owner',
      handle: async (visit) => show(visit, await questionOf(visit, visit.query.get('request') ?? ''), deps),
    }),
    defineRoute({
      path: consentPath,
      method: 'POST',
      auth: 'session',
      only: 'owner',
      async handle(visit) {
        const question = await questionOf(visit, visit.form.get('request'))
        const { asked, client } = question
        const by = { user_id: visit.session.user_id, agency_id: visit.session.agency_id }
        if (visit.form.get('decision') !== 'allow')
          return (await deps.decision.deny(asked, client, by)) ?? ended()
        const allowed = allowedBy(visit, question)
        if (typeof allowed === 'string') return show(visit, question, deps, allowed)
        return (await deps.decision.allow(asked, client, by, allowed)) ?? ended()
      },
    }),
  ]
}

function createQuestion({ documents, clients, requests }: ConsentDeps) {
  const workspaces = documents.collection(Workspace)
  return async ({ host, state, session }: SignedIn, id: string): Promise<Question> => {
    const asked = await requests.open(id, host)
    const client = asked && (await clients.find(asked.client_id, host, state))
    if (!asked || !client) return ended()
    const own = where.and(where.eq('agency_id', session.agency_id), where.eq('is_active', true))
    const found = await workspaces.find({ where: own, limit: workspacesMax })
    const choices = found.map(({ id, name, is_home }) => ({
      id,
      name: String(name),
      isHome: is_home === true,
    }))
    choices.sort((a, b) => Number(b.isHome) - Number(a.isHome) || a.name.localeCompare(b.name))
    return { asked, client, choices }
  }
}

/**
 * Returns the granted access, or an error. The access contains only what the app asked for and what belongs
 * to the agency.
 */
function allowedBy({ form }: SignedIn, { asked, choices }: Question): Allowed | string {
  const mayWrite = asked.scopes.includes('write') && form.get('write') !== ''
  const scopes = mayWrite ? (['read', 'write'] as const) : (['read'] as const)
  const workspace_ids = choices.map(({ id }) => id).filter((id) => form.all('workspace').includes(id))
  const isAll = form.get('all') !== '' || choices.length < 2
  if (isAll && workspace_ids.length > 0)
    return 'Clear this box to allow only the workspaces that you selected.'
  if (!isAll && workspace_ids.length === 0) return 'Choose at least one workspace.'
  return { scopes, workspace_ids: isAll ? null : workspace_ids }
}

function ended(): never {
  throw new Refusal(
    'malformed_request',
    'The request of the app was already answered, or has expired. Go back to the app and connect it again.',
  )
}

function show(
  visit: SignedIn,
  { asked, client, choices }: Question,
  { writes }: Pick<ConsentDeps, 'writes'>,
  fault?: string,
): Response {
  const again = fault === undefined ? null : visit.form
  return visit.page({
    title: `Connect ${client.name}`,
    status: fault === undefined ? 200 : 422,
    children: (
      <Card>
        <Head title={`Connect ${client.name}?`}>
          An app asks to work with your data here. It can never send, publish, pay or delete anything.
        </Head>
        <Who visit={visit} asked={asked} client={client} />
        <Form
          action={consentPath}
          csrf={visit.csrf}
          hidden={{ request: asked.id }}
          label="What the app may do"
        >
          <Permissions asked={asked} writes={writes} write={again === null || again.get('write') !== ''} />
          {choices.length > 1 && (
            <Workspaces
              choices={choices}
              all={again === null || again.get('all') !== ''}
              chosen={again?.all('workspace') ?? []}
              fault={fault}
            />
          )}
          <Row>
            <Button name="decision" value="allow">
              Allow
            </Button>
            <Button name="decision" value="deny" kind="plain">
              Do not allow
            </Button>
          </Row>
        </Form>
        <p class="hint">You can disconnect it at any time under Connected apps; that works at once.</p>
      </Card>
    ),
  })
}

function Who({ visit, asked, client }: { visit: SignedIn; asked: AuthorizationRequest; client: Client }) {
  const { person, brand, host } = visit
  return (
    <>
      <Facts
        of={[
          [
            'App',
            client.named_by === undefined ? (
              <>
                {client.name} <Badge tone="warn">from the app itself</Badge>
              </>
            ) : (
              <>
                {client.name} of <strong>{client.named_by}</strong>
              </>
            ),
          ],
          ['Your answer goes to', <strong key="redirect">{redirectHost(asked.redirect_uri)}</strong>],
          ['At', `${brand} (${new URL(host.origin).host})`],
          ['You are', person.email ?? person.name ?? 'the owner'],
        ]}
      />
      <Warning asked={asked} client={client} />
    </>
  )
}

/**
 * A warning for apps whose name is only a claim. If the app runs on the person's own machine, another program
 * there can use its address too.
 */
function Warning({ asked, client }: { asked: AuthorizationRequest; client: Client }) {
  const begun = 'Continue only if you have just started this in the app yourself.'
  if (isLoopback(asked.redirect_uri)) {
    return (
      <Notice tone="warn" title="A program on your own computer">
        The answer goes to the program that listens there. {begun}
      </Notice>
    )
  }
  if (!asked.redirect_uri.startsWith('https:')) {
    return (
      <Notice tone="warn" title="An app on your own device">
        The answer goes to the app that opens addresses of this kind. {begun}
      </Notice>
    )
  }
  if (client.named_by !== undefined) return null
  return (
    <Notice tone="warn" title="Nobody has checked this name">
      The app chose the name itself. Only the address that your answer goes to is certain. {begun}
    </Notice>
  )
}

function Permissions({
  asked,
  writes,
  write,
}: {
  asked: AuthorizationRequest
  writes: string
  write: boolean
}) {
  return (
    <fieldset>
      <legend>It may</legend>
      <p>
        <strong>Read</strong> all records of the workspaces, such as reviews, AI traffic and AI answers.
      </p>
      {asked.scopes.includes('write') && (
        <Checkbox
          name="write"
          label="Write"
          hint={`It can ${writes}, and get ids of events at callback hosts that you allow under Settings, Apps. Untick it to let the app read only.`}
          checked={write}
        />
      )}
    </fieldset>
  )
}

interface WorkspacesProps {
  readonly choices: readonly Choice[]
  readonly all: boolean
  readonly chosen: readonly string[]
  readonly fault: string | undefined
}

function Workspaces({ choices, all, chosen, fault }: WorkspacesProps) {
  return (
    <fieldset>
      <legend>In these workspaces</legend>
      <Checkbox
        name="all"
        label="All, including future ones"
        hint="Untick it to choose some of these:"
        error={fault}
        checked={all}
      />
      {choices.map(({ id, name }) => (
        <Checkbox key={id} name="workspace" value={id} label={name} checked={chosen.includes(id)} />
      ))}
    </fieldset>
  )
}
