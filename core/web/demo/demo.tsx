/** @jsxImportSource ../jsx */

import type { Sessions } from '../../auth/sessions'
import { Refusal } from '../../contracts/errors'
import type { PluginDeclaration } from '../../contracts/plugin'
import { ensureDemo } from '../../demo/ensure-demo'
import { endDemo } from '../../demo/plugin'
import type { LockDeps } from '../../jobs/locks'
import { definePage, type Page, type SignedIn } from '../define-page'
import { Button, Card, Form, Row } from '../kit'
import { asPerson } from '../parts/done-by'
import type { Place, Places } from '../places'

export interface DemoDeps extends LockDeps {
  readonly plugins: readonly PluginDeclaration[]
  readonly places: Places
  readonly sessions: Sessions
}

const path = '/app/demo'
const removePath = '/app/demo/remove'

/** A demo to look at: one press makes it or opens it, one takes it away. Only the installation's own people have it. */
export const demoPages = (deps: DemoDeps): Page[] => [
  definePage({
    path,
    method: 'POST',
    auth: 'session',
    only: 'owner',
    back: '/app',
    async handle(visit) {
      await refuseOthers(deps, visit)
      await ensureDemo({ ...deps, owner: asPerson(deps.owner, visit), wanted: true })
      const first = (await deps.places.list(visit.person, 1_000)).find(({ is_demo }) => is_demo)
      if (first) await deps.sessions.choose(visit.session, first.id)
      return visit.redirect('/app')
    },
  }),
  definePage({
    path: removePath,
    method: 'POST',
    auth: 'session',
    only: 'owner',
    back: '/app',
    async handle(visit) {
      await refuseOthers(deps, visit)
      await endDemo(asPerson(deps.owner, visit), deps.plugins)
      return visit.redirect('/app')
    },
  }),
]

async function refuseOthers({ places }: DemoDeps, { person }: SignedIn): Promise<void> {
  if (await places.maySeeDemo(person)) return
  throw new Refusal('not_found', 'This agency has no demo.')
}

/** Says in the side bar that the data is made up, with the two ways out. */
export const DemoStrip = ({ csrf, own }: { readonly csrf: string; readonly own: Place | undefined }) => (
  <section class="demo" aria-label="Demo">
    <p>This is a demo.</p>
    {own && (
      <Form
        action="/app/workspace"
        csrf={csrf}
        hidden={{ workspace: own.id, back: '/app' }}
        label="Leave the demo"
        inline
      >
        <Button kind="quiet">
          Back
          <span class="unseen">
            {' '}
            to <bdi>{own.name}</bdi>
          </span>
        </Button>
      </Form>
    )}
    <Form action={removePath} csrf={csrf} label="Remove the demo" inline>
      <Button kind="quiet">
        Remove<span class="unseen"> the demo</span>
      </Button>
    </Form>
  </section>
)

/** The way to the demo, on the overview. */
export const DemoCard = ({ csrf, isThere }: { readonly csrf: string; readonly isThere: boolean }) => (
  <Card
    title="Look at a demo"
    about="Sample businesses with a year of reviews, leads and AI traffic, separate from your own data."
  >
    <Row>
      <Form action={path} csrf={csrf} label="Demo" inline>
        <Button kind="plain">{isThere ? 'Open the demo' : 'Look at a demo'}</Button>
      </Form>
      {isThere && (
        <Form action={removePath} csrf={csrf} label="Remove the demo" inline>
          <Button kind="quiet">Remove the demo</Button>
        </Form>
      )}
    </Row>
  </Card>
)
