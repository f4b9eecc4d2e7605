/** @jsxImportSource ../../kit/jsx */
import { defineRoute, type Route, type Visit } from '../../framework/route'
import { Button, Card, Form, Head } from '../../kit/parts/kit'
import { note, type PersonPageDeps } from './person-pages'

const path = '/app/link'

/** A one-time link. Opening it changes nothing, because mail scanners open links too. The button signs in. */
export const linkPages = (deps: PersonPageDeps): Route[] => [
  defineRoute({
    path,
    method: 'GET',
    auth: 'none',
    async handle(visit) {
      const token = visit.query.get('token') ?? ''
      const link = await deps.links.find(token)
      return link ? show(visit, token) : goOn(deps, visit)
    },
  }),
  defineRoute({
    path,
    method: 'POST',
    auth: 'none',
    async handle(visit) {
      const { host, form, session, redirect } = visit
      const link = await deps.links.use(form.get('token'))
      const person = link && (await deps.people.get(link.user_id))
      if (!person || !(await deps.people.belongs(person, host))) return goOn(deps, visit)
      await note(deps, visit, person, 'owner_link')
      if (session) await deps.sessions.end(session)
      const step = await deps.steps.begin('password', person, host)
      return redirect('/app/welcome', [step, deps.sessions.ended(host)])
    },
  }),
]

/** Continues the sign-in of people who pressed twice or went back. For all others the link is used up. */
const goOn = async ({ steps }: PersonPageDeps, visit: Visit) =>
  (await steps.of(visit.request, visit.host, 'password')) ? visit.redirect('/app/welcome') : dead(visit)

const show = ({ page, csrf, brand }: Visit, token: string) =>
  page({
    title: 'Welcome',
    children: (
      <Card>
        <Head title="Welcome">
          {`This link signs you in to ${brand} once. You then choose an e-mail address and a password to sign in with.`}
        </Head>
        <Form action={path} csrf={csrf} hidden={{ token }}>
          <Button whole>Continue</Button>
        </Form>
      </Card>
    ),
  })

const dead = ({ page, host }: Visit) =>
  page({
    title: 'This link no longer works',
    status: 410,
    children: (
      <>
        <Card>
          <Head title="This link no longer works">
            It was used, is older than 24 hours, or was replaced by a newer one.
          </Head>
          {host.kind !== 'white_label' && (
            <p>
              An owner can make a new link for members. The operator makes one for owners with{' '}
              <code>bun renown owner link create</code>.
            </p>
          )}
        </Card>
        <p class="hint">
          <a href="/app/sign-in">Sign in with a password</a>
        </p>
      </>
    ),
  })
