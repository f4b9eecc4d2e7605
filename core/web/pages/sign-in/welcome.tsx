/** @jsxImportSource ../../kit/jsx */
import * as v from 'valibot'
import { passwordFault } from '../../../auth/people/passwords'
import { hasSecondFactor } from '../../../auth/people/second-factor'
import type { Person } from '../../../auth/sessions'
import { nullIfConflict } from '../../../contracts/errors'
import type { Form as SentForm } from '../../framework/forms'
import { defineRoute, type Route, type Visit } from '../../framework/route'
import { Button, Card, Checkbox, Field, Form, Head } from '../../kit/parts/kit'
import { enter, type PersonPageDeps } from './person-pages'

const path = '/app/welcome'
const address = v.pipe(v.string(), v.trim(), v.toLowerCase(), v.maxLength(254), v.email())

interface Faults {
  readonly email?: string
  readonly password?: string
  readonly again?: string
}

/** After a one-time link: choose the e-mail address and the password to sign in with. All earlier sessions end. */
export const welcomePages = (deps: PersonPageDeps): Route[] => [
  defineRoute({
    path,
    method: 'GET',
    auth: 'none',
    async handle(visit) {
      const known = await personOf(deps, visit)
      return known ? show(visit, known.person, known.person.email ?? '') : visit.redirect('/app/sign-in')
    },
  }),
  defineRoute({
    path,
    method: 'POST',
    auth: 'none',
    async handle(visit) {
      const known = await personOf(deps, visit)
      if (!known) return visit.redirect('/app/sign-in')
      const { person, step } = known
      const { form } = visit
      const email = v.safeParse(address, form.get('email'))
      const faults = faultsOf(form, email.success ? email.output : null)
      if (!email.success || Object.keys(faults).length > 0)
        return show(visit, person, form.get('email'), faults)
      const { people, sessions, steps } = deps
      const set = await people.setPassword(person, form.get('password'), email.output).catch(nullIfConflict)
      if (set === null)
        return show(visit, person, form.get('email'), { email: 'Another person already uses this address.' })
      if (!(await steps.end(step))) return visit.redirect('/app/sign-in')
      if (form.get('lost') === 'yes') await people.secondFactor.disable(person)
      await sessions.endAll(person.id)
      await steps.endAll(person.id)
      await deps.oauth.disconnectAllOf(person)
      return enter(deps, visit, person, '/app', 'password_set')
    },
  }),
]

async function personOf({ steps, people }: PersonPageDeps, { request, host }: Visit) {
  const step = await steps.of(request, host, 'password')
  const person = step && (await people.get(step.user_id))
  return person && (await people.belongs(person, host)) ? { step, person } : null
}

function faultsOf(form: SentForm, email: string | null): Faults {
  const password = passwordFault(form.get('password'), email ?? '')
  const differs = form.get('password') !== form.get('again')
  return {
    ...(email === null ? { email: 'Enter an e-mail address such as ada@example.com.' } : {}),
    ...(password === null ? {} : { password }),
    ...(password === null && differs ? { again: 'The two passwords differ.' } : {}),
  }
}

function show({ page, csrf }: Visit, person: Person, email: string, faults: Faults = {}): Response {
  const isFaulty = Object.keys(faults).length > 0
  const isFirst = person.password_hash === undefined
  const title = isFirst ? 'Choose how you sign in' : 'Choose a new password'
  return page({
    title: isFaulty ? `Error: ${title}` : title,
    status: isFaulty ? 422 : 200,
    children: (
      <Card>
        <Head title={title}>{isFirst ? null : 'You will be signed out everywhere else.'}</Head>
        <Form action={path} csrf={csrf}>
          <Field
            name="email"
            label="E-mail address"
            type="email"
            value={email}
            error={faults.email}
            autocomplete="username"
            autofocus={!isFaulty || faults.email !== undefined}
          />
          <Field
            name="password"
            label="New password"
            type="password"
            hint="At least 12 characters. A few words in a row are good."
            error={faults.password}
            autocomplete="new-password"
            autofocus={faults.email === undefined && faults.password !== undefined}
          />
          <Field
            name="again"
            label="Confirm password"
            type="password"
            error={faults.again}
            autocomplete="new-password"
            autofocus={faults.again !== undefined}
          />
          {hasSecondFactor(person) && (
            <Checkbox
              name="lost"
              label="I no longer have my authenticator app"
              hint="This turns off two-step sign-in until you set it up again."
            />
          )}
          <Button whole>Save and sign in</Button>
        </Form>
      </Card>
    ),
  })
}
