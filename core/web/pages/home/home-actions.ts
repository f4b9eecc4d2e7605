import type { AnyAction } from '../../../contracts/page'
import { englishLocale } from '../../../kit/page-locale'
import { englishText } from '../../../kit/phrases'
import { asPerson } from '../../framework/done-by'
import { noWorkspace } from '../../framework/no-workspace'
import { type AppPageDeps, pageContextOf } from '../../framework/page-context'
import { refuseDemo } from '../../framework/page-record'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { runAction } from '../../framework/run-action'
import type { VisibleWorkspace } from '../../framework/workspace-access'
import type { Outcome } from '../../kit/browser/page-props'
import { homeCardsOf } from './home-cards'

type Show = (visit: SignedIn, place: VisibleWorkspace, outcome: Outcome) => Promise<Response>

/** The actions of buttons on home cards. `show` shows the home page with a refusal. */
export const homeActions = (deps: AppPageDeps, show: Show): Route[] =>
  homeCardsOf(deps).flatMap(({ only, actions = {} }) =>
    Object.entries(actions).map(([name, action]) =>
      acting(deps, name, { ...action, ...(only && { only }) }, show),
    ),
  )

const acting = (deps: AppPageDeps, name: string, action: AnyAction, show: Show): Route =>
  defineRoute({
    path: `/app/home/${name}`,
    method: 'POST',
    auth: action.auth,
    ...(action.only ? { only: action.only } : {}),
    back: '/app',
    async handle(visit) {
      const ctx = pageContextOf(deps, visit)
      if (!ctx || !visit.place) return noWorkspace(visit)
      if (action.refusesDemo) refuseDemo(visit.place.is_demo)
      const owner = asPerson(deps.owner, visit)
      const bound = { input: action.input, run: (input: never) => action.run({ ...ctx, owner }, input) }
      const { to, ...outcome } = await runAction(name, bound, visit.form, { locale: englishLocale })
      if (!outcome.ok) return show(visit, visit.place, outcome)
      return visit.redirect(to ?? (action.done === undefined ? '/app' : `/app?done=${name}`))
    },
  })

/** Returns the notice of an action, by the word in the address. */
export function noticeOf(deps: AppPageDeps, word: string | null): string | null {
  const said = homeCardsOf(deps).flatMap(({ actions = {} }) => Object.entries(actions))
  const done = said.find(([name]) => name === word)?.[1].done
  return done === undefined ? null : englishText(done)
}
