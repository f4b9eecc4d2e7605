/** @jsxImportSource ../jsx */
import { definePage, type Page, type SignedIn } from '../define-page'
import { ownPath, unpackForm } from '../forms'
import { Button, ButtonLink, Card, Field, Form, Head, Row, Username } from '../kit'
import { note, ownPasswordFault, type PersonPageDeps } from '../person-pages'

const path = '/app/confirm'

/** What continues after the password was entered: an address, or a sent form. */
interface Waiting {
  readonly next: string
  readonly to?: string
  readonly held?: string
}

/** Asks for the password again before an important action. */
export const confirmPages = (deps: PersonPageDeps): Page[] => [
  definePage({
    path,
    method: 'GET',
    auth: 'session',
    handle: (visit) => askForPassword(visit, { next: ownPath(visit.query.get('next')) }),
  }),
  definePage({
    path,
    method: 'POST',
    auth: 'session',
    async handle(visit) {
      const { form } = visit
      const next = ownPath(form.get('next'))
      const to = form.get('to')
      const held = form.get('held')
      const fault = await ownPasswordFault(deps, visit, form.get('password'))
      if (fault !== null) return askForPassword(visit, to === '' ? { next } : { next, to, held }, fault)
      const renewed = await deps.sessions.renew(visit.session)
      if (!renewed) return visit.redirect('/app/sign-in')
      await note(deps, visit, visit.person, 'confirm')
      if (to === '') return visit.redirect(next, [renewed.cookie])
      const answer = await visit.pass(to, unpackForm(held), renewed.session)
      answer.headers.append('set-cookie', renewed.cookie)
      return answer
    },
  }),
]

/** The form that asks for the password. It contains the waiting form. */
export const askForPassword = (
  { page, csrf, person }: SignedIn,
  waiting: Waiting,
  fault?: string,
): Response =>
  page({
    title: fault === undefined ? 'Confirm your password' : 'Error: Confirm your password',
    status: fault === undefined ? 200 : 422,
    children: (
      <Card>
        <Head title="Confirm your password">
          The next step needs your password. Renown asks at most once in ten minutes.
          {waiting.to !== undefined && ' Your input is kept and sent with it.'}
        </Head>
        <Form action={path} csrf={csrf} hidden={{ ...waiting }}>
          <Username value={person.email} />
          <Field
            name="password"
            label="Password"
            type="password"
            error={fault}
            autocomplete="current-password"
            autofocus
          />
          <Row>
            <Button>Continue</Button>
            <ButtonLink href={waiting.to === undefined ? '/app' : waiting.next} kind="quiet">
              Cancel
            </ButtonLink>
          </Row>
        </Form>
      </Card>
    ),
  })
