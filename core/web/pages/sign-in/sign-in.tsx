/** @jsxImportSource ../../kit/jsx */

import * as v from 'valibot'
import { hasSecondFactor } from '../../../auth/people/second-factor'
import { ownPath, type Form as SentForm } from '../../framework/forms'
import { defineRoute, type Route, type Visit } from '../../framework/route'
import { Button, Card, Field, Form, Head, Notice } from '../../kit/parts/kit'
import { callerOf, enter, note, type PersonPageDeps, tooManyAttemptsText } from './person-pages'

interface Shown {
  readonly next: string
  readonly email?: string
  readonly fault?: string
  readonly waitSeconds?: number
  readonly faults?: Faults
}

interface Faults {
  readonly email?: string
  readonly password?: string
}

const address = v.pipe(v.string(), v.trim(), v.maxLength(254), v.email())

/**
 * Returns the errors of single fields. They depend only on the typed text, so they do not reveal who has an account.
 */
function faultsOf(form: SentForm): Faults {
  return {
    ...(v.is(address, form.get('email'))
      ? {}
      : { email: 'Enter an e-mail address such as ada@example.com.' }),
    ...(form.get('password') === '' ? { password: 'Enter your password.' } : {}),
  }
}

const wrong = 'The e-mail address or the password is wrong.'

/** E-mail address and password. People with two-step sign-in are then asked for a code. */
export const signInPages = (deps: PersonPageDeps): Route[] => [
  defineRoute({
    path: '/app/sign-in',
    method: 'GET',
    auth: 'none',
    handle: (visit) => {
      const next = ownPath(visit.query.get('next'))
      return visit.session ? visit.redirect(next) : show(visit, { next })
    },
  }),
  defineRoute({
    path: '/app/sign-in',
    method: 'POST',
    auth: 'none',
    async handle(visit) {
      const { form, host, redirect } = visit
      const next = ownPath(form.get('next'))
      const email = form.get('email')
      const faults = faultsOf(form)
      if (Object.keys(faults).length > 0) return show(visit, { next, email, faults })
      const outcome = await deps.people.checkPassword(email, form.get('password'), host, callerOf(visit))
      if (outcome.was === 'too soon')
        return show(visit, {
          next,
          email,
          fault: tooManyAttemptsText(outcome.waitSeconds),
          waitSeconds: outcome.waitSeconds,
        })
      if (outcome.was === 'wrong') {
        if (outcome.person) await note(deps, visit, outcome.person, 'sign_in', 'refused')
        return show(visit, { next, email, fault: wrong })
      }
      const { person } = outcome
      if (!hasSecondFactor(person)) return enter(deps, visit, person, next, 'sign_in')
      return redirect('/app/sign-in/code', [await deps.steps.begin('code', person, host, next)])
    },
  }),
  defineRoute({
    path: '/app/sign-out',
    method: 'POST',
    auth: 'session',
    async handle(visit) {
      await deps.sessions.end(visit.session)
      await note(deps, visit, visit.person, 'sign_out')
      return visit.redirect('/app/sign-in?out=1', [deps.sessions.ended(visit.host)])
    },
  }),
]

function show(visit: Visit, { next, email = '', fault, waitSeconds, faults = {} }: Shown): Response {
  const { page, csrf, query, brand, host } = visit
  const isFaulty = fault !== undefined || Object.keys(faults).length > 0
  const status = waitSeconds === undefined ? (isFaulty ? 422 : 200) : 429
  return page({
    title: isFaulty ? 'Error: Sign in' : 'Sign in',
    status,
    ...(waitSeconds === undefined ? {} : { headers: { 'retry-after': String(waitSeconds) } }),
    children: (
      <>
        {query.get('out') && !isFaulty && <Notice tone="good">You are signed out.</Notice>}
        <Card>
          <Head title="Sign in">{`to ${brand}`}</Head>
          {fault && <Notice tone="bad">{fault}</Notice>}
          <Form action="/app/sign-in" csrf={csrf} hidden={{ next }}>
            <Field
              name="email"
              label="E-mail address"
              type="email"
              value={email}
              error={faults.email}
              autocomplete="username"
              autofocus={email === '' || faults.email !== undefined}
            />
            <Field
              name="password"
              label="Password"
              type="password"
              error={faults.password}
              autocomplete="current-password"
              autofocus={email !== '' && faults.email === undefined}
            />
            <Button whole>Sign in</Button>
          </Form>
        </Card>
        <p class="hint">
          {host.kind === 'white_label' ? (
            'No password yet, or forgotten? Ask the operator of this service for a link.'
          ) : (
            <>
              No password yet, or forgotten? The operator makes a link with{' '}
              <code>bun renown owner link create</code>.
            </>
          )}
        </p>
      </>
    ),
  })
}
