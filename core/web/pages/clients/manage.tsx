/** @jsxImportSource ../../kit/jsx */

import * as v from 'valibot'
import type { Row as Stored } from '../../../contracts/entity'
import { baseOf } from '../../../kit/page-addresses'
import { englishLocale } from '../../../kit/page-locale'
import { createWorkspace } from '../../../tenancy/commands'
import type { Workspace } from '../../../tenancy/Workspace'
import { archiveWorkspace, renameWorkspace, restoreWorkspace } from '../../../tenancy/workspace-commands'
import { actAs } from '../../framework/done-by'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { runAction } from '../../framework/run-action'
import type { Outcome } from '../../kit/browser/page-props'
import {
  Button,
  ButtonLink,
  Card,
  Facts,
  Field,
  Form,
  Head,
  Moment,
  Notice,
  Row,
  Select,
} from '../../kit/parts/kit'
import { zones } from '../../kit/parts/zones'
import { confirmDialog } from '../settings/settings'
import { type ClientDeps, clientsPath, ownClient } from './client-deps'

const newPath = `${clientsPath}/new`
const onePath = `${clientsPath}/one`
const archivePath = `${clientsPath}/archive`
const restorePath = `${clientsPath}/restore`
const ofOwners = { only: 'owner' } as const

type Client = Stored<typeof Workspace>

/** Creates, renames, archives and restores clients, with the same code as the commands. */
export const managingPages = (deps: ClientDeps): Route[] => [
  ...creating(deps),
  ...renaming(deps),
  ...archiving(deps),
]

const creating = (deps: ClientDeps): Route[] => [
  defineRoute({
    path: newPath,
    method: 'GET',
    ...ofOwners,
    auth: 'session',
    handle: (visit) => askForNew(visit, null),
  }),
  defineRoute({
    path: newPath,
    method: 'POST',
    ...ofOwners,
    auth: 'session',
    async handle(visit) {
      const create = {
        input: v.strictObject({ name: v.string(), timezone: v.string() }),
        async run({ name, timezone }: { readonly name: string; readonly timezone: string }) {
          const input = { name, timezone, agency_id: visit.person.agency_id }
          const made = await actAs(deps.owner, visit, createWorkspace, input)
          return { to: baseOf(String(made.workspace_id)) }
        },
      }
      const { to, ...outcome } = await runAction('new', create, visit.form, { locale: englishLocale })
      return to === undefined ? askForNew(visit, outcome) : visit.redirect(to)
    },
  }),
]

function askForNew(visit: SignedIn, outcome: Outcome | null): Response {
  const { values = {}, faults = {} } = outcome ?? {}
  const title = 'Add client'
  return visit.page({
    title: outcome ? `Error: ${title}` : title,
    status: outcome ? 422 : 200,
    copies: true,
    children: (
      <Card>
        <Head title={title}>A client is a workspace with locations, reviews and websites of its own.</Head>
        {outcome?.fault !== undefined && Object.keys(faults).length === 0 && (
          <Notice tone="bad">{outcome.fault}</Notice>
        )}
        <Form action={newPath} csrf={visit.csrf} label={title}>
          <Field
            name="name"
            label="Name"
            value={textOf(values.name)}
            error={faults.name}
            autocomplete="off"
            maxlength={200}
            autofocus
          />
          <Select
            name="timezone"
            label="Time zone"
            hint="Days of its figures begin at midnight there."
            options={zones}
            value={textOf(values.timezone) || 'UTC'}
            error={faults.timezone}
            ownZone={outcome === null}
          />
          <Row>
            <Button>{createWorkspace.declared.label}</Button>
            <ButtonLink href={clientsPath} kind="quiet">
              Cancel
            </ButtonLink>
          </Row>
        </Form>
      </Card>
    ),
  })
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

const renaming = (deps: ClientDeps): Route[] => [
  defineRoute({
    path: onePath,
    method: 'GET',
    ...ofOwners,
    auth: 'session',
    handle: async (visit) => showOne(visit, await ownClient(deps, visit, visit.query.get('of') ?? ''), null),
  }),
  defineRoute({
    path: onePath,
    method: 'POST',
    ...ofOwners,
    auth: 'session',
    async handle(visit) {
      const client = await ownClient(deps, visit, visit.form.get('of'))
      const rename = {
        input: v.strictObject({ name: v.string() }),
        async run({ name }: { readonly name: string }) {
          await actAs(deps.owner, visit, renameWorkspace, { workspace_id: client.id, name })
        },
      }
      const { to: _, ...outcome } = await runAction('rename', rename, visit.form, {
        locale: englishLocale,
        param: 'of',
      })
      return outcome.ok ? visit.redirect(`${clientsPath}?done=renamed`) : showOne(visit, client, outcome)
    },
  }),
]

function showOne(visit: SignedIn, client: Client, outcome: Outcome | null): Response {
  const { id, name, is_active, is_home, timezone, created_date } = client
  return visit.page({
    title: outcome ? `Error: ${name}` : name,
    status: outcome ? 422 : 200,
    children: (
      <>
        <Head title={name}>{is_active ? 'Client of your agency.' : 'Archived client of your agency.'}</Head>
        <Card>
          <Facts
            of={[
              ['State', is_home ? 'Home workspace' : is_active ? 'Active' : 'Archived'],
              ['Time zone', timezone],
              ['Added', <Moment key="added" at={created_date} />],
            ]}
          />
        </Card>
        <Card title="Name">
          <Form action={onePath} csrf={visit.csrf} hidden={{ of: id }} label="Rename">
            <Field
              name="name"
              label="Name"
              value={textOf(outcome?.values?.name ?? name)}
              error={outcome?.faults?.name ?? outcome?.fault}
              autocomplete="off"
              maxlength={200}
              autofocus={outcome !== null}
            />
            <Row>
              <Button>Rename</Button>
            </Row>
          </Form>
        </Card>
        {is_active && <People of={id} />}
        <Ending of={client} csrf={visit.csrf} />
        <p>
          <a href={clientsPath}>Back to all clients</a>
        </p>
      </>
    ),
  })
}

const People = ({ of: id }: { readonly of: string }) => (
  <Card title="People" about="Invite the people of this client. They see this workspace and no other.">
    <Row>
      <ButtonLink href={`${clientsPath}/invite?of=${id}`}>Invite a person</ButtonLink>
      <a href="/app/members">All people</a>
    </Row>
  </Card>
)

function Ending({
  of: { id, name, is_active, is_home },
  csrf,
}: {
  readonly of: Client
  readonly csrf: string
}) {
  if (is_home)
    return (
      <Card title="Archive">
        <p class="hint">You cannot archive the home workspace of your agency.</p>
      </Card>
    )
  if (is_active)
    return (
      <Card title="Archive" about="Stops all work for this client and keeps its data.">
        <Row>
          <ButtonLink href={`${archivePath}?of=${id}`}>Archive {name}</ButtonLink>
        </Row>
      </Card>
    )
  return (
    <Card title="Restore" about="Starts the work for this client again.">
      <Form action={restorePath} csrf={csrf} hidden={{ of: id }} label="Restore">
        <Row>
          <Button>Restore {name}</Button>
        </Row>
      </Form>
    </Card>
  )
}

const archiving = (deps: ClientDeps): Route[] => [
  defineRoute({
    path: archivePath,
    method: 'GET',
    ...ofOwners,
    auth: 'session',
    async handle(visit) {
      const client = await ownClient(deps, visit, visit.query.get('of') ?? '')
      return client.is_home || !client.is_active ? showOne(visit, client, null) : askToArchive(visit, client)
    },
  }),
  defineRoute({
    path: archivePath,
    method: 'POST',
    back: clientsPath,
    ...ofOwners,
    auth: 'session',
    async handle(visit) {
      const { id } = await ownClient(deps, visit, visit.form.get('of'))
      await actAs(deps.owner, visit, archiveWorkspace, { workspace_id: id })
      return visit.leave(`${clientsPath}?done=archived`)
    },
  }),
  defineRoute({
    path: restorePath,
    method: 'POST',
    back: clientsPath,
    ...ofOwners,
    auth: 'session',
    async handle(visit) {
      const { id } = await ownClient(deps, visit, visit.form.get('of'))
      await actAs(deps.owner, visit, restoreWorkspace, { workspace_id: id })
      return visit.redirect(`${clientsPath}?done=restored`)
    },
  }),
]

const askToArchive = (visit: SignedIn, { id, name }: Client) =>
  confirmDialog(visit, {
    title: `Archive ${name}?`,
    button: `Archive ${name}`,
    children: (
      <>
        <p>After that, for this client:</p>
        <ul>
          <li>Renown reads no reviews and sends no replies, not even replies that are already due.</li>
          <li>Websites are not counted. New hits and visits are refused and lost.</li>
          <li>No email is sent about it, and apps and agents can only read its data.</li>
          <li>Nobody sees its pages. People without another workspace see none.</li>
        </ul>
        <p>Its data stays, and you can restore it at any time.</p>
      </>
    ),
    action: archivePath,
    hidden: { of: id },
    back: `${clientsPath}/one?of=${id}`,
  })
