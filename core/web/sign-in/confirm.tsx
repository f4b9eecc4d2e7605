/** @jsxImportSource ../jsx */
import { definePage, type Page, type SignedIn } from '../define-page'
import { ownPath } from '../forms'
import { Button, ButtonLink, Card, Field, Form, Head, Row, Username } from '../kit'
import { note, ownPasswordFault, type PersonPageDeps } from '../person-pages'

const path = '/app/confirm'

/** Asks for the password again before something that weighs more. */
export const confirmPages = (deps: PersonPageDeps): Page[] => [
  definePage({
    path,
    method: 'GET',
    auth: 'session',
    handle: (visit) => show(visit, ownPath(visit.query.get('next'))),
  }),
  definePage({
    path,
    method: 'POST',
    auth: 'session',
    async handle(visit) {
      const next = ownPath(visit.form.get('next'))
      const fault = await ownPasswordFault(deps, visit, visit.form.get('password'))
      if (fault !== null) return show(visit, next, fault)
      const renewed = await deps.sessions.renew(visit.session)
      if (!renewed) return visit.redirect('/app/sign-in')
      await note(deps, visit, visit.person, 'confirm')
      return visit.redirect(next, [renewed.cookie])
    },
  }),
]

const show = ({ page, csrf, person }: SignedIn, next: string, fault?: string) =>
  page({
    title: fault === undefined ? 'Is it you?' : 'Error: Is it you?',
    status: fault === undefined ? 200 : 422,
    children: (
      <Card>
        <Head title="Is it you?">What comes next asks for your password, once in ten minutes.</Head>
        <Form action={path} csrf={csrf} hidden={{ next }}>
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
            <Button>Go on</Button>
            <ButtonLink href="/app" kind="quiet">
              Rather not
            </ButtonLink>
          </Row>
        </Form>
      </Card>
    ),
  })
