/** @jsxImportSource ../../kit/jsx */
import * as v from 'valibot'
import { invitePerson } from '../../../auth/people/member-commands'
import { nameFault, personName } from '../../../auth/people/members'
import type { Row as Stored } from '../../../contracts/entity'
import { isMailAddress } from '../../../outbound/mail/mail-address'
import type { Workspace } from '../../../tenancy/Workspace'
import { actAs } from '../../framework/done-by'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { Button, ButtonLink, Card, Field, Form, Head, Row } from '../../kit/parts/kit'
import { deliver, showInvitation } from '../settings/invitation'
import { type ClientDeps, clientsPath, ownClient } from './client-deps'

const path = `${clientsPath}/invite`

interface Typed {
  readonly name: string
  readonly email: string
  readonly faults: { readonly name?: string; readonly email?: string }
}

const nothing: Typed = { name: '', email: '', faults: {} }

/** Invites a person of a client, who sees only its workspace. */
export const invitationPages = (deps: ClientDeps): Route[] => [
  defineRoute({
    path,
    method: 'GET',
    only: 'owner',
    auth: 'session',
    handle: async (visit) =>
      ask(deps, visit, await ownClient(deps, visit, visit.query.get('of') ?? ''), nothing),
  }),
  defineRoute({
    path,
    method: 'POST',
    only: 'owner',
    back: clientsPath,
    auth: 'recent',
    async handle(visit) {
      const client = await ownClient(deps, visit, visit.form.get('of'))
      const typed = visit.form.get('name')
      const email = visit.form.get('email')
      const parsed = v.safeParse(personName, typed)
      const faults = {
        ...(parsed.success ? {} : { name: nameFault }),
        ...emailFaults(email.trim()),
      }
      if (!parsed.success || faults.email !== undefined)
        return ask(deps, visit, client, { name: typed, email, faults })
      const name = parsed.output
      const { agency_id } = visit.person
      const input = { agency_id, name, role: 'member', workspace_ids: [client.id] }
      const { user_id, sign_in_link } = await actAs(deps.owner, visit, invitePerson, input)
      const person = await deps.members.find(agency_id, String(user_id))
      const link = String(sign_in_link)
      const delivery = await deliver(deps, visit, { to: email.trim(), link, workspace: client.name })
      return showInvitation(visit, { person, link, delivery, back: `${clientsPath}/one?of=${client.id}` })
    },
  }),
]

const emailFaults = (email: string): Typed['faults'] =>
  email !== '' && !isMailAddress(email) ? { email: 'Enter one e-mail address, such as ada@example.com.' } : {}

function ask(
  { owner }: ClientDeps,
  { page, csrf }: SignedIn,
  { id, name: client }: Stored<typeof Workspace>,
  { name, email, faults }: Typed,
): Response {
  const hasFaults = Object.keys(faults).length > 0
  const { isConfigured, from } = owner.outbound.mail
  const title = `Invite a person to ${client}`
  return page({
    title: hasFaults ? `Error: ${title}` : title,
    status: hasFaults ? 422 : 200,
    children: (
      <Card>
        <Head title={title}>They become a member and see only this workspace.</Head>
        <Form action={path} csrf={csrf} hidden={{ of: id }} label={title}>
          <Field
            name="name"
            label="Name"
            value={name}
            error={faults.name}
            autocomplete="off"
            maxlength={100}
            autofocus={faults.name !== undefined}
          />
          {isConfigured ? (
            <Field
              name="email"
              label="E-mail address"
              type="email"
              hint={`Renown sends the link there from ${from}. Leave it empty to get the link yourself.`}
              value={email}
              error={faults.email}
              autocomplete="off"
              autofocus={faults.name === undefined && faults.email !== undefined}
              optional
            />
          ) : (
            <p class="hint">This installation has no mail server. You get the link and send it yourself.</p>
          )}
          <Row>
            <Button>Invite</Button>
            <ButtonLink href={`${clientsPath}/one?of=${id}`} kind="quiet">
              Cancel
            </ButtonLink>
          </Row>
        </Form>
      </Card>
    ),
  })
}
