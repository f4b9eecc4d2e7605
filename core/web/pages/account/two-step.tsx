/** @jsxImportSource ../../kit/jsx */
import encodeQR from 'qr'
import { hasSecondFactor, type Offer } from '../../../auth/people/second-factor'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { Button, ButtonLink, Card, CopyField, Field, Form, Head, Notice, Row } from '../../kit/parts/kit'
import { note, type PersonPageDeps } from '../sign-in/person-pages'

const path = '/app/account/two-step'
const offPath = '/app/account/two-step/off'
const codesPath = '/app/account/two-step/codes'
const wrong =
  'This code is wrong. Check that the clock of your phone is right. Wait for the next code and try again.'

/** Two-step sign-in: set it up with a code that proves it, turn it off, and get recovery codes. */
export const twoStepPages = (deps: PersonPageDeps): Route[] => [
  defineRoute({
    path,
    method: 'GET',
    auth: 'recent',
    handle: (visit) => (hasSecondFactor(visit.person) ? showOn(visit) : begin(deps, visit)),
  }),
  defineRoute({
    path,
    method: 'POST',
    auth: 'recent',
    async handle(visit) {
      const { form, person, brand, redirect } = visit
      if (hasSecondFactor(person)) return redirect(path)
      const { secondFactor } = deps.people
      const sealed = form.get('sealed')
      const codes = await secondFactor.enable(person, sealed, form.get('code')).catch(() => undefined)
      if (codes === undefined) return redirect(path)
      if (codes === null) return showOff(visit, secondFactor.again(sealed, person, brand), wrong)
      await note(deps, visit, person, 'second_factor_on')
      return showCodes(visit, codes, 'Two-step sign-in is on')
    },
  }),
  defineRoute({
    path: offPath,
    method: 'POST',
    auth: 'recent',
    back: path,
    async handle(visit) {
      await deps.people.secondFactor.disable(visit.person)
      await note(deps, visit, visit.person, 'second_factor_off')
      return visit.redirect('/app/account?done=two-step-off')
    },
  }),
  defineRoute({
    path: codesPath,
    method: 'POST',
    auth: 'recent',
    back: path,
    async handle(visit) {
      if (!hasSecondFactor(visit.person)) return visit.redirect(path)
      const codes = await deps.people.secondFactor.renewCodes(visit.person)
      await note(deps, visit, visit.person, 'recovery_codes')
      return showCodes(visit, codes, 'The old recovery codes no longer work')
    },
  }),
]

function begin(deps: PersonPageDeps, visit: SignedIn): Response {
  const offer = offered(deps, visit)
  return offer ? showOff(visit, offer) : showNoKey(visit)
}

/**
 * Whether two-step sign-in can be set up. Secrets are stored encrypted. With documents on a server, it needs
 * SECRETS_KEY.
 */
function offered({ people }: PersonPageDeps, { person, brand }: SignedIn): Offer | null {
  try {
    return people.secondFactor.begin(person, brand)
  } catch {
    return null
  }
}

const showNoKey = ({ page }: SignedIn) =>
  page({
    title: 'Two-step sign-in',
    status: 409,
    children: (
      <Card>
        <Head title="Two-step sign-in">Two-step sign-in is not available yet.</Head>
        <Notice tone="warn" title="A key is missing">
          The operator must set <code>SECRETS_KEY</code>, which encrypts the secret of your app.
        </Notice>
        <ButtonLink href="/app/account">Back</ButtonLink>
      </Card>
    ),
  })

const showOff = ({ page, csrf }: SignedIn, { sealed, text, uri }: Offer, fault?: string) =>
  page({
    title: fault === undefined ? 'Set up two-step sign-in' : 'Error: Set up two-step sign-in',
    status: fault === undefined ? 200 : 422,
    copies: true,
    children: (
      <>
        <Head title="Set up two-step sign-in">
          When you sign in, you then also enter a code from an authenticator app on your phone.
        </Head>
        <Card title="1. Scan this with the app">
          <div
            class="qr"
            role="img"
            aria-label="QR code for an authenticator app. The text below contains the same."
            dangerouslySetInnerHTML={{ __html: encodeQR(uri, 'svg', { ecc: 'medium', border: 1 }) }}
          />
          <CopyField name="secret" label="Or type this into the app" value={text} />
        </Card>
        <Card title="2. Enter the code that it shows">
          <Form action={path} csrf={csrf} hidden={{ sealed }}>
            <Field
              name="code"
              label="Code"
              error={fault}
              inputmode="numeric"
              autocomplete="one-time-code"
              maxlength={12}
              code
              autofocus={fault !== undefined}
            />
            <Row>
              <Button>Turn it on</Button>
              <ButtonLink href="/app/account" kind="quiet">
                Not now
              </ButtonLink>
            </Row>
          </Form>
        </Card>
      </>
    ),
  })

const showOn = ({ page, csrf, person }: SignedIn) =>
  page({
    title: 'Two-step sign-in',
    children: (
      <>
        <Head title="Two-step sign-in">You enter a code from your app when you sign in.</Head>
        <Card
          title="Recovery codes"
          about={`${person.recovery_hashes?.length ?? 0} are left. Each signs you in once if you lose your phone.`}
        >
          <Form action={codesPath} csrf={csrf} label="Recovery codes">
            <Row>
              <Button kind="plain">Make ten new ones</Button>
            </Row>
          </Form>
        </Card>
        <Card title="Turn it off" about="You then sign in with your password only.">
          <Form action={offPath} csrf={csrf} label="Turn it off">
            <Row>
              <Button kind="danger">Turn off two-step sign-in</Button>
            </Row>
          </Form>
        </Card>
        <ButtonLink href="/app/account">Back</ButtonLink>
      </>
    ),
  })

const showCodes = ({ page }: SignedIn, codes: readonly string[], title: string) =>
  page({
    title: 'Recovery codes',
    children: (
      <>
        <Notice tone="good">{`${title}.`}</Notice>
        <Card>
          <Head title="Recovery codes">
            Each signs you in once if you lose your phone. They are shown only once.
          </Head>
          <ul class="codes">
            {codes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
          <p class="hint">Print them or keep them in a password manager, not on the phone itself.</p>
          <ButtonLink href="/app/account" kind="primary">
            I have saved them
          </ButtonLink>
        </Card>
      </>
    ),
  })
