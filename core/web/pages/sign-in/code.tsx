/** @jsxImportSource ../../kit/jsx */
import { defineRoute, type Route, type Visit } from '../../framework/route'
import { Button, Card, Field, Form, Head } from '../../kit/parts/kit'
import { callerOf, enter, note, type PersonPageDeps, tooManyAttemptsText } from './person-pages'

const path = '/app/sign-in/code'
const wrong = 'This code is wrong, or was already used. Codes change every 30 seconds.'

/** Two-step sign-in. The step after the right password stores the person. */
export const codePages = (deps: PersonPageDeps): Route[] => [
  defineRoute({
    path,
    method: 'GET',
    auth: 'none',
    handle: async (visit) => ((await personOf(deps, visit)) ? show(visit) : visit.redirect('/app/sign-in')),
  }),
  defineRoute({
    path,
    method: 'POST',
    auth: 'none',
    async handle(visit) {
      const known = await personOf(deps, visit)
      if (!known) return visit.redirect('/app/sign-in')
      const { person, step } = known
      const outcome = await deps.people.checkCode(person, visit.form.get('code'), callerOf(visit))
      if (outcome.was === 'too soon')
        return show(visit, tooManyAttemptsText(outcome.waitSeconds), outcome.waitSeconds)
      if (outcome.was === 'wrong') {
        await note(deps, visit, person, 'second_factor', 'refused')
        return show(visit, wrong)
      }
      if (!(await deps.steps.end(step))) return visit.redirect('/app/sign-in')
      const how = deps.people.secondFactor.isRecoveryCode(visit.form.get('code'))
        ? 'recovery_code'
        : 'sign_in'
      return enter(deps, visit, person, step.next ?? '/app', how)
    },
  }),
]

async function personOf({ steps, people }: PersonPageDeps, { request, host }: Visit) {
  const step = await steps.of(request, host, 'code')
  const person = step && (await people.get(step.user_id))
  return person && (await people.belongs(person, host)) ? { step, person } : null
}

function show({ page, csrf }: Visit, fault?: string, waitSeconds?: number): Response {
  return page({
    title: fault === undefined ? 'Enter the code' : 'Error: Enter the code',
    status: waitSeconds === undefined ? (fault === undefined ? 200 : 422) : 429,
    ...(waitSeconds === undefined ? {} : { headers: { 'retry-after': String(waitSeconds) } }),
    children: (
      <>
        <Card>
          <Head title="Enter the code">Six digits from your authenticator app.</Head>
          <Form action={path} csrf={csrf}>
            <Field
              name="code"
              label="Code"
              hint="Lost your phone? Enter a recovery code instead, such as 1a2b-3c4d-5e6f-7g8h."
              error={fault}
              autocomplete="one-time-code"
              maxlength={40}
              code
              autofocus
            />
            <Button whole>Continue</Button>
          </Form>
        </Card>
        <p class="hint">
          <a href="/app/sign-in">Start again</a>
        </p>
      </>
    ),
  })
}
