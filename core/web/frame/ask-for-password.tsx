/** @jsxImportSource ../kit/jsx */

import type { SignedIn } from '../framework/route'
import { Button, ButtonLink, Card, Field, Form, Head, Row, Username } from '../kit/parts/kit'

/** Where the form with the password is sent. */
export const confirmPath = '/app/confirm'

/** What continues after the password was entered: an address, or a sent form. */
interface Waiting {
  readonly next: string
  readonly to?: string
  readonly held?: string
}

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
        <Form action={confirmPath} csrf={csrf} hidden={{ ...waiting }}>
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
