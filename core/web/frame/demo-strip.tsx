/** @jsxImportSource ../kit/jsx */

import type { frameWords } from '../framework/words'
import type { VisibleWorkspace } from '../framework/workspace-access'
import { Button, Form } from '../kit/parts/kit'
import { useWords } from '../kit/parts/language'

/** Where a form removes the demo. */
export const removePath = '/app/demo/remove'

/** Shows in the side bar that the data is sample data, with buttons to leave and to remove the demo. */
export function DemoStrip({
  csrf,
  own,
}: {
  readonly csrf: string
  readonly own: VisibleWorkspace | undefined
}) {
  const words = useWords<typeof frameWords>()
  return (
    <section class="demo" aria-label={words.text('demo')}>
      <p>{words('isDemo')}</p>
      {own && (
        <Form
          action="/app/workspace"
          csrf={csrf}
          hidden={{ workspace: own.id, back: '/app' }}
          label={words.text('leaveDemo')}
          inline
        >
          <Button kind="quiet">
            {words('back')}
            <span class="unseen">
              {' '}
              <bdi>{words('backTo', { name: own.name })}</bdi>
            </span>
          </Button>
        </Form>
      )}
      <Form action={removePath} csrf={csrf} label={words.text('removeDemo')} inline>
        <Button kind="quiet">
          {words('remove')}
          <span class="unseen"> {words('theDemo')}</span>
        </Button>
      </Form>
    </section>
  )
}
