/** @jsxImportSource ../jsx */
import type { Person } from '../../auth/sessions'
import { definePage, type Page, type SignedIn } from '../define-page'
import { Button, Card, Checkbox, Form, Row } from '../kit'
import type { PersonPageDeps } from '../person-pages'

const path = '/app/account/shortcuts'

/** Whether this person has single-key shortcuts on: so it is until they turn them off. */
export const hasShortcuts = ({ shortcuts_off }: Pick<Person, 'shortcuts_off'>): boolean =>
  shortcuts_off !== true

/** The form that turns single-key shortcuts off and on. */
export const shortcutPages = (deps: Pick<PersonPageDeps, 'people'>): Page[] => [
  definePage({
    path,
    method: 'POST',
    auth: 'session',
    back: '/app/account',
    async handle({ form, person, redirect }) {
      await deps.people.setShortcuts(person, form.get('shortcuts') === 'yes')
      return redirect('/app/account?done=shortcuts')
    },
  }),
]

/** Keys that work everywhere on a page can clash with speech input and screen readers (WCAG 2.1.4): they can be turned off. */
export const Shortcuts = ({ csrf, person }: Pick<SignedIn, 'csrf' | 'person'>) => (
  <Card id="shortcuts" title="Keyboard shortcuts">
    <Form action={path} csrf={csrf} label="Keyboard shortcuts">
      <Checkbox
        name="shortcuts"
        label="Use single-key shortcuts"
        hint="Each page lists its keys. They do nothing while you type. Turn them off if you use speech input, or if they clash with other software."
        checked={hasShortcuts(person)}
      />
      <Row>
        <Button kind="plain">Save shortcuts</Button>
      </Row>
    </Form>
  </Card>
)
