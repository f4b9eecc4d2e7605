/** @jsxImportSource ../../kit/jsx */

import type { OAuth } from '../../../auth/oauth'
import { noWorkspace } from '../../framework/no-workspace'
import { type AppPageDeps, pageContextOf } from '../../framework/page-context'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { frameWords } from '../../framework/words'
import type { VisibleWorkspace, WorkspaceAccess } from '../../framework/workspace-access'
import type { Outcome } from '../../kit/browser/page-props'
import { Head, Notice } from '../../kit/parts/kit'
import { DemoCard } from '../demo/demo'
import type { NamesDeps } from '../start/naming'
import { isStartDue, startPath } from '../start/start'
import { readAttention } from './attention'
import { homeActions, noticeOf } from './home-actions'
import { cardsFor, readNews, sayCards } from './home-cards'
import { Figures } from './home-figures'
import { NeedsYou, Since } from './home-since'
import { Tasks, tasksOf } from './home-tasks'
import { isShown, lookOf, recordVisit, visitOf } from './home-visits'

export interface HomeDeps extends AppPageDeps, NamesDeps {
  readonly places: WorkspaceAccess
  readonly oauth: Pick<OAuth, 'grants'>
}

/** Maximum figures of the home page. The pages of the domains show all of them. */
const figuresMax = 6

/**
 * The home page of a workspace: what a person must do now, the changes since the last visit, how the business does,
 * and the steps of the set-up.
 */
export const homePages = (deps: HomeDeps): Route[] => [
  defineRoute({
    path: '/app',
    method: 'GET',
    nav: frameWords('navHome'),
    navOrder: 0,
    icon: 'house',
    onPhones: true,
    auth: 'session',
    async handle(visit) {
      if (await isStartDue(deps, visit)) return visit.redirect(startPath)
      return visit.place ? show(deps, visit, visit.place, null) : noWorkspace(visit)
    },
  }),
  ...homeActions(deps, (visit, place, outcome) => show(deps, visit, place, outcome)),
]

/** Reads everything that the page shows. */
async function load(deps: HomeDeps, visit: SignedIn, place: VisibleWorkspace) {
  const ctx = pageContextOf(deps, visit)
  if (!ctx) return null
  const { person } = visit
  const who = { workspaceId: place.id, userId: person.id }
  const cards = cardsFor(deps, visit)
  const known = await visitOf(deps.owner, who)
  const look = lookOf(known, deps.owner.now())
  const [said, news, attention, maySeeDemo] = await Promise.all([
    sayCards(deps, cards, ctx),
    readNews(deps, cards, ctx, look.since),
    readAttention(deps, ctx),
    deps.places.maySeeDemo(person),
  ])
  const isOwn = !place.is_demo
  const hasDemo = maySeeDemo && isOwn
  return {
    who,
    known,
    look,
    said,
    news,
    attention,
    hasDemo,
    tasks: isOwn ? await tasksOf(deps, visit, said) : null,
    others: hasDemo ? await deps.places.list(person, 1_000) : [],
  }
}

async function show(
  deps: HomeDeps,
  visit: SignedIn,
  place: VisibleWorkspace,
  outcome: Outcome | null,
): Promise<Response> {
  const loaded = await load(deps, visit, place)
  if (!loaded) return noWorkspace(visit)
  const { said, news, look, attention, tasks, hasDemo, others } = loaded
  const notice = outcome ? null : noticeOf(deps, visit.query.get('done'))
  const figures = said.filter(({ content }) => content === null || content.state === 'info')
  const waiting = said.filter(({ content }) => content?.state === 'waiting')
  const isSetUp = tasks === null || tasks.every(({ isDone }) => isDone)
  const steps = tasks && <Tasks of={tasks} csrf={visit.csrf} />
  const answer = visit.page({
    title: outcome ? 'Error: Home' : 'Home',
    status: outcome ? 422 : 200,
    width: 'wide',
    children: (
      <>
        <Head title={place.name}>{`Days begin in ${place.timezone}.`}</Head>
        {notice !== null && <Notice tone="good">{notice}</Notice>}
        {outcome && (
          <Notice tone="bad" title="Nothing was changed">
            {outcome.fault}
          </Notice>
        )}
        {!isSetUp && steps}
        <div class="stack halves">
          <NeedsYou
            of={attention}
            waiting={waiting}
            isInDoubt={figures.some(({ content }) => content === null)}
          />
          <Since of={news} look={look} />
        </div>
        <Figures of={figures.slice(0, figuresMax)} />
        {isSetUp && steps}
        {hasDemo && <DemoCard csrf={visit.csrf} isThere={others.some(({ is_demo }) => is_demo)} />}
      </>
    ),
  })
  // Sources that could not be read would be lost if the page said afterwards that it was seen.
  if (isShown(visit.request) && news.unread.length === 0)
    await recordVisit(deps.owner, loaded.who, loaded.known)
  return answer
}
