/** @jsxImportSource ../../kit/jsx */

import { passwordFault } from '../../../auth/people/passwords'
import { hasSecondFactor } from '../../../auth/people/second-factor'
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
  Username,
} from '../../kit/parts/kit'
import { markOf, note, ownPasswordFault, type PersonPageDeps } from '../sign-in/person-pages'
import { Language, languagePages } from './language'
import { Shortcuts, shortcutPages } from './shortcuts'

const path = '/app/account'
const passwordPath = '/app/account/password'
const sessionsPath = '/app/account/sessions'

interface Faults {
  readonly current?: string
  readonly password?: string
  readonly again?: string
}

const done: Readonly<Record<string, string>> = {
  password:
    'Your password is changed. You are signed out everywhere else. Connect the apps that you allowed again.',
  language: 'Your language is saved.',
  shortcuts: 'Your choice of keyboard shortcuts is saved.',
  sessions: 'You are signed out everywhere else.',
  'two-step-off': 'Two-step sign-in is off.',
}

/** The pages for the signed-in person: password, two-step sign-in, sessions. */
export const accountPages = (deps: PersonPageDeps): Route[] => [
  defineRoute({
    path,
    method: 'GET',
    nav: frameWords('navAccount'),
    icon: 'user',
    section: 'settings',
    auth: 'session',
    handle: (visit) => show(deps, visit),
  }),
  defineRoute({
    path: passwordPath,
    method: 'POST',
    auth: 'session',
    back: path,
    async handle(visit) {
      const { form, person, session, redirect } = visit
      const fresh = passwordFault(form.get('password'), person.email ?? '')
      if (fresh !== null) return show(deps, visit, { password: fresh })
      if (form.get('password') !== form.get('again'))
        return show(deps, visit, { again: 'The two passwords differ.' })
      const current = await ownPasswordFault(deps, visit, form.get('current'))
      if (current !== null) return show(deps, visit, { current })
      await deps.people.setPassword(person, form.get('password'))
      await deps.sessions.endAll(person.id, session.id)
      await deps.steps.endAll(person.id)
      await deps.oauth.disconnectAllOf(person)
      const renewed = await deps.sessions.renew(session)
      await note(deps, visit, person, 'password_set')
      return redirect(`${path}?done=password`, [
        await markOf(deps, visit, person),
        ...(renewed ? [renewed.cookie] : []),
      ])
    },
  }),
  defineRoute({
    path: sessionsPath,
    method: 'POST',
    auth: 'session',
    back: path,
    async handle(visit) {
      await deps.sessions.endAll(visit.person.id, visit.session.id)
      await note(deps, visit, visit.person, 'sessions_ended')
      return visit.redirect(`${path}?done=sessions`)
    },
  }),
  ...languagePages(deps),
  ...shortcutPages(deps),
]

async function show(deps: PersonPageDeps, visit: SignedIn, faults: Faults = {}): Promise<Response> {
  const isFaulty = Object.keys(faults).length > 0
  const told = done[visit.query.get('done') ?? '']
  const sessions = await deps.sessions.list(visit.person.id)
  return visit.page({
    title: isFaulty ? 'Error: Account' : 'Account',
    status: isFaulty ? 422 : 200,
    width: 'wide',
    children: (
      <>
        <Head title="Account">How you sign in, and where you are signed in.</Head>
        {told && !isFaulty && <Notice tone="good">{told}</Notice>}
        <You {...visit} />
        <NewPassword {...visit} faults={faults} />
        <Language {...visit} />
        <Shortcuts {...visit} />
        <Everywhere {...visit} sessions={sessions} />
      </>
    ),
  })
}

const You = ({ person }: SignedIn) => (
  <Card title="You">
    <Facts
      of={[
        ...(person.name === undefined ? [] : ([['Name', person.name]] as const)),
        ['E-mail address', person.email ?? '–'],
        ['Password', <Moment key="password" at={person.password_set_at} before="chosen " />],
        [
          'Two-step sign-in',
          hasSecondFactor(person) ? (
            <Badge key="on" tone="good">
              on
            </Badge>
          ) : (
            <Badge key="off" tone="warn">
              off
            </Badge>
          ),
        ],
        ...(hasSecondFactor(person)
          ? ([['Recovery codes left', String(person.recovery_hashes?.length ?? 0)]] as const)
          : []),
      ]}
    />
    <Row>
      <ButtonLink href="/app/account/two-step">
        {hasSecondFactor(person) ? 'Codes and recovery codes' : 'Set up two-step sign-in'}
      </ButtonLink>
    </Row>
  </Card>
)

const NewPassword = ({ csrf, person, faults }: SignedIn & { readonly faults: Faults }) => (
  <Card title="Change your password">
    <Form action={passwordPath} csrf={csrf} label="Change your password">
      <Username value={person.email} />
      <Field
        name="current"
        label="Current password"
        type="password"
        error={faults.current}
        autocomplete="current-password"
        autofocus={faults.current !== undefined}
      />
      <Field
        name="password"
        label="New password"
        type="password"
        hint="At least 12 characters. A few words in a row are good."
        error={faults.password}
        autocomplete="new-password"
        autofocus={faults.password !== undefined}
      />
      <Field
        name="again"
        label="Confirm new password"
        type="password"
        error={faults.again}
        autocomplete="new-password"
        autofocus={faults.again !== undefined}
      />
      <Row>
        <Button>Change the password</Button>
      </Row>
    </Form>
  </Card>
)

type Listed = Awaited<ReturnType<PersonPageDeps['sessions']['list']>>

const Everywhere = ({ csrf, session, sessions }: SignedIn & { readonly sessions: Listed }) => (
  <Card
    title="Where you are signed in"
    about="A session ends after 7 days without use, and after 30 days in any case."
  >
    <Table
      label="Sessions"
      columns={['Browser', 'Host', 'Signed in', 'Last used']}
      rows={sessions.map((each) => [
        <>
          {each.browser} {each.id === session.id && <Badge tone="good">this session</Badge>}
        </>,
        new URL(each.host).host,
        <Moment key="in" at={each.signed_in_at} />,
        <Moment key="used" at={each.last_used_at} />,
      ])}
    />
    {sessions.length > 1 && (
      <Form action={sessionsPath} csrf={csrf} label="Sign out everywhere else" inline>
        <Button kind="danger">Sign out everywhere else</Button>
      </Form>
    )}
  </Card>
)
