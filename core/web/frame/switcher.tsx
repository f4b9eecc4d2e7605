/** @jsxImportSource ../kit/jsx */

import type { Sessions } from '../../auth/sessions'
import { addressIn, baseOf } from '../../kit/page-addresses'
import { ownPath } from '../framework/forms'
import { defineRoute, type Route, type SignedIn } from '../framework/route'
import type { frameWords } from '../framework/words'
import type { VisibleWorkspace, WorkspaceAccess } from '../framework/workspace-access'
import { Icon } from '../kit/parts/icon'
import { Badge, Button, Card, Field, Form, Head, Row } from '../kit/parts/kit'
import { useWords } from '../kit/parts/language'

/** Number of workspaces in the switcher. More are on a separate page. */
export const choicesMax = 12

const path = '/app/workspace'
const shownMax = 100

interface SwitcherProps {
  readonly place: VisibleWorkspace
  readonly choices: readonly VisibleWorkspace[]
  readonly csrf: string
  /** The page to return to. */
  readonly back: string
}

/** The workspace of the pages. It opens a search and the list of others, if there are any. */
export function Switcher({ place, choices, csrf, back }: SwitcherProps) {
  const others = choices.filter(({ id }) => id !== place.id)
  const words = useWords<typeof frameWords>()
  if (others.length === 0) return <span class="place">{place.name}</span>
  return (
    <details class="place" data-menu="" data-switcher="">
      <summary title={place.name}>
        <span class="unseen">{words('workspace')}: </span>
        <bdi>{place.name}</bdi>
        <Icon name="chevrons-up-down" />
      </summary>
      <div class="menu">
        <form method="get" action={path} aria-label={words.text('findWorkspace')}>
          <input type="hidden" name="back" value={back} />
          <input
            type="search"
            name="name"
            aria-label={words.text('findWorkspaceByName')}
            placeholder={words.text('findWorkspace')}
            autocomplete="off"
          />
        </form>
        <Form action={path} csrf={csrf} hidden={{ back }} label={words.text('changeWorkspace')}>
          {others.slice(0, choicesMax).map((other) => (
            <Choice key={other.id} of={other} />
          ))}
        </Form>
        <a href={`${path}?back=${encodeURIComponent(back)}`}>{words('allWorkspaces')}</a>
      </div>
    </details>
  )
}

const Choice = ({ of: { id, name } }: { readonly of: VisibleWorkspace }) => (
  <Button kind="quiet" name="workspace" value={id}>
    <bdi>{name}</bdi>
  </Button>
)

/** All workspaces of a person, with a search by name, and the switch between them. */
export const workspacePages = ({
  places,
  sessions,
}: {
  places: WorkspaceAccess
  sessions: Sessions
}): Route[] => [
  defineRoute({
    path,
    method: 'GET',
    auth: 'session',
    handle: async (visit) => {
      const name = visit.query.get('name')?.trim().slice(0, 200) ?? ''
      return show(visit, await places.list(visit.person, shownMax, name), name)
    },
  }),
  defineRoute({
    path,
    method: 'POST',
    auth: 'session',
    async handle({ form, person, session, redirect }) {
      const place = await places.find(person, form.get('workspace'))
      if (place) await sessions.choose(session, place.id)
      return redirect(place ? addressIn(baseOf(place.id), ownPath(form.get('back'))) : path)
    },
  }),
]

function show(
  { page, csrf, query, place }: SignedIn,
  found: readonly VisibleWorkspace[],
  name: string,
): Response {
  const back = ownPath(query.get('back'))
  return page({
    title: 'Workspaces',
    children: (
      <Card>
        <Head title="Workspaces">Each page shows one workspace.</Head>
        <form method="get" action={path} aria-label="Find a workspace">
          <input type="hidden" name="back" value={back} />
          <Field name="name" label="Name" type="search" value={name} optional autocomplete="off" />
          <Row>
            <Button kind="plain">Find</Button>
          </Row>
        </form>
        {found.length === 0 ? (
          <div class="empty">No workspace has this name.</div>
        ) : (
          <Form action={path} csrf={csrf} hidden={{ back }} label="Change workspace">
            <ul class="choices">
              {found.map((each) => (
                <li key={each.id}>
                  <Choice of={each} /> {each.id === place?.id && <Badge tone="good">current</Badge>}
                </li>
              ))}
            </ul>
          </Form>
        )}
        {found.length === shownMax && <p class="hint">There are more. Search by name.</p>}
      </Card>
    ),
  })
}
