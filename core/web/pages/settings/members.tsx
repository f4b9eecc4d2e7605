/** @jsxImportSource ../../kit/jsx */

import * as v from 'valibot'
import {
  activatePerson,
  deactivatePerson,
  invitePerson,
  linkPerson,
} from '../../../auth/people/member-commands'
import { type MemberAccess, mayHaveLink, nameFault, personName } from '../../../auth/people/members'
import type { Person } from '../../../auth/sessions'
import { isConflict } from '../../../contracts/errors'
import { sentenceAfter } from '../../../kit/acts/on-page'
import { actAs } from '../../framework/done-by'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { frameWords } from '../../framework/words'
import {
  Badge,
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
  Table,
} from '../../kit/parts/kit'
import { showInvitation } from './invitation'
import { accessIn, choicesOf, ownAmong, RoleFields, Workspaces } from './member-fields'
import { confirmDialog, Done, Name, note, type SettingsDeps } from './settings'

const path = '/app/members'
const onePath = '/app/members/one'
const linkPath = '/app/members/link'
const offPath = '/app/members/deactivate'
const onPath = '/app/members/activate'

const told = {
  changed: 'Saved. The change applies to the next page that they open.',
  off: sentenceAfter(deactivatePerson),
  on: sentenceAfter(activatePerson),
}

/** The refused input of a form. */
interface Typed {
  readonly name: string
  readonly fault: string
  readonly standing: MemberAccess
}

/** The people of the agency: invite them by a link, choose their workspaces, and remove their access. */
export const memberPages = (deps: SettingsDeps): Route[] => [
  ...inviting(deps),
  ...changing(deps),
  ...turningAway(deps),
]

const named = ({ members }: SettingsDeps, { person }: SignedIn, id: string) =>
  members.find(person.agency_id, id)

const inviting = (deps: SettingsDeps): Route[] => [
  defineRoute({
    path,
    method: 'GET',
    nav: frameWords('navPeople'),
    auth: 'session',
    handle: (visit) => show(deps, visit),
  }),
  defineRoute({
    path,
    method: 'POST',
    auth: 'recent',
    back: path,
    async handle(visit) {
      const typed = visit.form.get('name')
      const parsed = v.safeParse(personName, typed)
      const standing = accessIn(visit.form, [])
      if (!parsed.success) return show(deps, visit, { name: typed, standing, fault: nameFault })
      const { agency_id } = visit.person
      const access = await ownAmong(deps, agency_id, standing)
      const input = { agency_id, name: parsed.output, ...access }
      const { user_id, sign_in_link } = await actAs(deps.owner, visit, invitePerson, input)
      return showLink(visit, await named(deps, visit, String(user_id)), String(sign_in_link))
    },
  }),
  defineRoute({
    path: linkPath,
    method: 'POST',
    auth: 'recent',
    back: path,
    async handle(visit) {
      const person = await named(deps, visit, visit.form.get('person'))
      const { sign_in_link } = await actAs(deps.owner, visit, linkPerson, { user_id: person.id })
      return showLink(visit, person, String(sign_in_link))
    },
  }),
]

const changing = (deps: SettingsDeps): Route[] => [
  defineRoute({
    path: onePath,
    method: 'GET',
    auth: 'session',
    handle: async (visit) => showOne(deps, visit, await named(deps, visit, visit.query.get('person') ?? '')),
  }),
  defineRoute({
    path: onePath,
    method: 'POST',
    auth: 'recent',
    back: path,
    async handle(visit) {
      const person = await named(deps, visit, visit.form.get('person'))
      const standing = accessIn(visit.form, person.workspace_ids ?? [])
      return refusedOr(deps, visit, person, async () => {
        await deps.members.change(person, standing)
        await note(deps, visit, 'person.change', nameOf(person))
        return 'changed'
      })
    },
  }),
]

const turningAway = (deps: SettingsDeps): Route[] => [
  defineRoute({
    path: offPath,
    method: 'GET',
    auth: 'recent',
    handle: async (visit) => askToTurnAway(visit, await named(deps, visit, visit.query.get('person') ?? '')),
  }),
  defineRoute({
    path: offPath,
    method: 'POST',
    auth: 'recent',
    back: path,
    async handle(visit) {
      const person = await named(deps, visit, visit.form.get('person'))
      return refusedOr(deps, visit, person, async () => {
        await actAs(deps.owner, visit, deactivatePerson, { user_id: person.id })
        return 'off'
      })
    },
  }),
  defineRoute({
    path: onPath,
    method: 'POST',
    auth: 'recent',
    back: path,
    async handle(visit) {
      const person = await named(deps, visit, visit.form.get('person'))
      await actAs(deps.owner, visit, activatePerson, { user_id: person.id })
      return visit.redirect(`${path}?done=on`)
    },
  }),
]

const nameOf = ({ name, email }: Person) => name ?? email ?? 'no name yet'

/** Shows on the person's page why an action would leave the agency without an owner. */
async function refusedOr(deps: SettingsDeps, visit: SignedIn, person: Person, work: () => Promise<string>) {
  try {
    return visit.redirect(`${path}?done=${await work()}`)
  } catch (error) {
    if (!isConflict(error)) throw error
    return showOne(deps, visit, person, error.message)
  }
}

async function show(deps: SettingsDeps, visit: SignedIn, typed?: Typed): Promise<Response> {
  const { person: self, csrf, query } = visit
  const [people, choices] = await Promise.all([
    deps.members.list(self.agency_id),
    choicesOf(deps, self.agency_id, query.get('find') ?? ''),
  ])
  return visit.page({
    title: typed ? 'Error: People' : 'People',
    status: typed ? 422 : 200,
    width: 'wide',
    children: (
      <>
        <Head title="People">
          Owners have full access. Members see only the workspaces that you give them, and no keys, apps,
          domains or people.
        </Head>
        {!typed && <Done visit={visit} told={told} />}
        <Card>
          <Table
            label="People"
            columns={['Name', 'Role', 'Signs in with', 'Workspaces', 'State']}
            rows={people.map((person) => [
              <>
                <a href={`${onePath}?person=${person.id}`}>
                  <Name>{nameOf(person)}</Name>
                </a>
                {person.id === self.id && ' (you)'}
              </>,
              person.role === 'owner' ? 'Owner' : 'Member',
              <Name key="email">{person.email ?? '–'}</Name>,
              person.role === 'owner' ? 'all' : String(person.workspace_ids?.length ?? 0),
              <State key="state" of={person} />,
            ])}
          />
        </Card>
        <Card title="Invite a person" about="You get a link to send to them. It works once, within 24 hours.">
          <Form action={path} csrf={csrf} label="Invite a person">
            <Field
              name="name"
              label="Name"
              value={typed?.name ?? ''}
              error={typed?.fault}
              autocomplete="off"
              maxlength={100}
              autofocus={typed !== undefined}
            />
            <RoleFields of={typed?.standing.role ?? 'member'} />
            <Workspaces choices={choices} given={typed?.standing.workspace_ids ?? []} />
            <Row>
              <Button>Create link</Button>
            </Row>
          </Form>
        </Card>
      </>
    ),
  })
}

const State = ({ of: { is_active, password_hash } }: { readonly of: Person }) => {
  if (!is_active) return <Badge tone="bad">no access</Badge>
  return password_hash === undefined ? <Badge tone="warn">invited</Badge> : <Badge tone="good">active</Badge>
}

async function showOne(deps: SettingsDeps, visit: SignedIn, person: Person, fault?: string) {
  const { csrf, query } = visit
  const given = person.workspace_ids ?? []
  const choices = await choicesOf(deps, person.agency_id, query.get('find') ?? '', given)
  return visit.page({
    title: fault === undefined ? nameOf(person) : `Error: ${nameOf(person)}`,
    status: fault === undefined ? 200 : 422,
    width: 'wide',
    children: (
      <>
        <Head title={nameOf(person)} />
        {fault && <Notice tone="bad">{fault}</Notice>}
        <Card>
          <Facts
            of={[
              ['State', <State key="state" of={person} />],
              ['Signs in with', <Name key="email">{person.email ?? '–'}</Name>],
              ['Password chosen', <Moment key="password" at={person.password_set_at} />],
            ]}
          />
          <Ways person={person} self={visit.person} csrf={csrf} />
          {mayHaveLink(person) && <p class="hint">A new link replaces the previous one.</p>}
        </Card>
        <Card title="Role and workspaces">
          <Form action={onePath} csrf={csrf} hidden={{ person: person.id }} label="Role and workspaces">
            <RoleFields of={person.role} />
            <Workspaces choices={choices} given={given} />
            <Row>
              <Button>Save</Button>
            </Row>
          </Form>
          {choices.hasMore && <Find person={person.id} />}
        </Card>
      </>
    ),
  })
}

const Find = ({ person }: { readonly person: string }) => (
  <form method="get" action={onePath} aria-label="Find workspaces">
    <input type="hidden" name="person" value={person} />
    <Field name="find" label="There are more workspaces. Find them by name" type="search" optional />
    <Row>
      <Button kind="plain">Find</Button>
    </Row>
  </form>
)

const Ways = ({ person, self, csrf }: { person: Person; self: Person; csrf: string }) => (
  <Row>
    {mayHaveLink(person) && (
      <Form action={linkPath} csrf={csrf} hidden={{ person: person.id }} inline>
        <Button kind="plain">Create new link</Button>
      </Form>
    )}
    {!person.is_active && (
      <Form action={onPath} csrf={csrf} hidden={{ person: person.id }} inline>
        <Button kind="plain">Let {nameOf(person)} access again</Button>
      </Form>
    )}
    {person.is_active && person.id !== self.id && (
      <ButtonLink href={`${offPath}?person=${person.id}`} kind="quiet">
        Turn {nameOf(person)} away
      </ButtonLink>
    )}
  </Row>
)

const askToTurnAway = (visit: SignedIn, person: Person) =>
  confirmDialog(visit, {
    title: `Remove access of ${nameOf(person)}?`,
    button: `Remove access of ${nameOf(person)}`,
    children: (
      <p>
        They are signed out everywhere at once, their links stop working, and apps that they connected are
        disconnected. Their changes stay. You can give access back later.
      </p>
    ),
    action: offPath,
    hidden: { person: person.id },
    back: `${onePath}?person=${person.id}`,
  })

const showLink = (visit: SignedIn, person: Person, link: string): Response =>
  showInvitation(visit, {
    person,
    link,
    delivery: { by: 'hand', fault: null, isConfigured: false },
    back: path,
  })
