/** @jsxImportSource ../../kit/jsx */

import { englishText } from '../../../kit/phrases'
import { everywhere } from '../../frame/desk/keys'
import { hasShortcuts } from '../../framework/has-shortcuts'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { frameWords } from '../../framework/words'
import { KeyHints } from '../../kit/parts/key-hints'
import { Button, ButtonLink, Card, Checkbox, Form, Head, Row } from '../../kit/parts/kit'
import type { PersonPageDeps } from '../sign-in/person-pages'

const path = '/app/account/shortcuts'

/** The form that turns single-key shortcuts on and off, and the page that lists the keys. */
export const shortcutPages = (deps: Pick<PersonPageDeps, 'people'>): Route[] => [
  defineRoute({
    path,
    method: 'POST',
    auth: 'session',
    back: '/app/account',
    async handle({ form, person, redirect }) {
      await deps.people.setPreferences(person, { shortcuts_on: form.get('shortcuts') === 'yes' })
      return redirect('/app/account?done=shortcuts')
    },
  }),
  defineRoute({
    path: '/app/keys',
    method: 'GET',
    auth: 'session',
    handle: ({ page, person }) =>
      page({
        title: 'Keyboard shortcuts',
        children: (
          <Card>
            <Head title="Keyboard shortcuts">
              {hasShortcuts(person)
                ? 'Single-key shortcuts are on. They do not work while you type.'
                : 'Single-key shortcuts are off. Switch them on in your account.'}
            </Head>
            <KeyHints
              keys={everywhere.map(([key, what]) => [key, englishText(frameWords(what))] as const)}
              isOpen
            />
            <p class="hint">Pages with their own shortcuts list them.</p>
            <Row>
              <ButtonLink href="/app/account#shortcuts">Change in your account</ButtonLink>
            </Row>
          </Card>
        ),
      }),
  }),
]

/** Single-key shortcuts can conflict with speech input and screen readers (WCAG 2.1.4), so they are off at first. */
export const Shortcuts = ({ csrf, person }: Pick<SignedIn, 'csrf' | 'person'>) => (
  <Card id="shortcuts" title="Keyboard shortcuts">
    <Form action={path} csrf={csrf} label="Keyboard shortcuts">
      <Checkbox
        name="shortcuts"
        label="Use single-key shortcuts"
        hint="Press ? on a page to see its keys. They do not work while you type. Leave them off if you use speech input, or if they clash with other software."
        checked={hasShortcuts(person)}
      />
      <Row>
        <Button kind="plain">Save shortcuts</Button>
      </Row>
    </Form>
  </Card>
)
