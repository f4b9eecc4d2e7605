/** @jsxImportSource ../kit/jsx */
import type { Person } from '../../auth/sessions'
import type { CardAction } from '../../contracts/card'
import { Refusal } from '../../contracts/errors'
import {
  type AnyAction,
  type AnyPage,
  type NavCount,
  type NavDeclaration,
  type PageContext,
  type PageFile,
  redirectOf,
} from '../../contracts/page'
import type { ShownText, Wording } from '../../contracts/words'
import { addressIn, baseOf } from '../../kit/page-addresses'
import type { PageLocale } from '../../kit/page-locale'
import { declaredText, englishText, shownText } from '../../kit/phrases'
import { prefers } from '../../requests/accept'
import type { Outcome, ServedProps } from '../kit/browser/page-props'
import { asPerson } from './done-by'
import { downloadEndings } from './downloads/downloads'
import { backTo, ownPath } from './forms'
import { hasShortcuts } from './has-shortcuts'
import { errorTitle, languageOf, localeOf, pageLanguage } from './language'
import { noWorkspace } from './no-workspace'
import { cardsOf, renderCards } from './page-cards'
import { type AppPageDeps, pageContextOf, pagePersonOf } from './page-context'
import { type FoundRecord, recordOf, refuseDemo } from './page-record'
import { requireNamedRecords, workspaceNamedBy } from './page-references'
import { defineRoute, type PageReader, type Route, type SignedIn } from './route'
import { type Ran, runAction } from './run-action'
import { pageWorkspaceOf } from './workspace-access'

/** Returns the pages that plugins declare, with their data, forms and streams, as entries of the page table. */
export const declaredPages = (deps: AppPageDeps): Route[] =>
  deps.pages.flatMap((page) => [
    showing(deps, page),
    ...downloads(deps, page),
    ...(page.submit ? [acting(deps, page, 'submit', page.submit, page.path)] : []),
    ...Object.entries(page.actions ?? {}).map(([name, action]) => acting(deps, page, name, action)),
    ...cardsOf(deps, page).flatMap(({ actions = {} }) =>
      Object.entries(actions).map(([name, action]) => actingOnCard(deps, page, name, action)),
    ),
    ...Object.entries(page.events ?? {}).map(([topic, listen]) =>
      defineRoute({
        path: `/app/events/${topic}`,
        method: 'GET',
        ...onlyOf(page),
        auth: 'session',
        forScripts: true,
        handle: async (visit) => {
          const ctx = pageContextOf(deps, visit, page.words)
          if (ctx) await requireNamedRecords(deps, ctx, visit.query, page.record?.param)
          return ctx ? deps.streams.open(visit, (signal) => listen(ctx, visit.query, signal)) : none()
        },
      }),
    ),
  ])

const onlyOf = ({ only, isFor }: Pick<AnyPage, 'only' | 'isFor'>) => ({
  ...(only ? { only } : {}),
  ...(isFor ? { isFor: (person: Person) => isFor(pagePersonOf(person)) } : {}),
})

const showing = (deps: AppPageDeps, page: AnyPage) =>
  defineRoute({
    path: page.path,
    method: 'GET',
    ...onlyOf(page),
    auth: 'session',
    ...navOf(deps, page),
    async handle(visit) {
      const found = await recordOf(deps, page, visit, (param) => visit.query.get(param))
      // A link contains only the id of the row, so the page is shown in the workspace of the row.
      if (found && found.place.id !== visit.place?.id) {
        return visit.redirect(addressIn(baseOf(found.place.id), `${page.path}?${visit.query}`))
      }
      const elsewhere = await workspaceOfAddress(deps, page, visit)
      return elsewhere
        ? visit.redirect(elsewhere)
        : show(deps, page, visit, visit.state.search, { outcome: null, found })
    },
  })

/** Returns the address of a page in the workspace of the records that it names, if that is another one of the person. */
async function workspaceOfAddress(deps: AppPageDeps, page: AnyPage, visit: SignedIn): Promise<string | null> {
  const ctx = pageContextOf(deps, visit)
  if (!ctx) return null
  try {
    await requireNamedRecords(deps, ctx, visit.query, page.record?.param)
    return null
  } catch (error) {
    const { person, query: asked } = visit
    const id = await workspaceNamedBy(deps, error, { person, query: asked, own: page.record?.param })
    // An address that names a workspace and a record of another one is wrong.
    if (id === null || visit.isNamed) throw error
    return addressIn(baseOf(id), `${page.path}?${visit.query}`)
  }
}

/** Returns the navigation entry of a plugin's page. */
function navOf(deps: AppPageDeps, { nav }: AnyPage) {
  if (!nav) return {}
  const { label, order: navOrder, icon, group, onPhones, count } = nav
  return {
    nav: label,
    navOrder,
    ...(icon === undefined ? {} : { icon }),
    ...(group === undefined ? {} : group === 'settings' ? { section: group } : { group }),
    ...(onPhones === undefined ? {} : { onPhones }),
    ...(count === undefined ? {} : { count: (who: PageReader) => countOf(deps, count, who) }),
  }
}

async function countOf(
  deps: AppPageDeps,
  count: NonNullable<NavDeclaration['count']>,
  who: PageReader,
): Promise<NavCount | null> {
  const ctx = pageContextOf(deps, who)
  return ctx ? count(ctx) : null
}

/** The data of a page for its script, and its rows as files. */
function downloads(deps: AppPageDeps, page: AnyPage): Route[] {
  const name = page.path.slice('/app/'.length)
  const data = (rest: string, answer: (visit: SignedIn, ...about: About) => Promise<Response>) =>
    defineRoute({
      path: `/app/data/${name}${rest}`,
      method: 'GET',
      ...onlyOf(page),
      auth: 'session',
      forScripts: true,
      async handle(visit) {
        const found = await recordOf(deps, page, visit, (param) => visit.query.get(param))
        const ctx = pageContextOf(deps, found ? { ...visit, place: found.place } : visit, page.words)
        if (ctx) await requireNamedRecords(deps, ctx, visit.query, page.record?.param)
        return answer(visit, ctx ?? none(), found)
      },
    })
  const { download, files = {} } = page
  return [
    ...Object.entries(files).map(([file, declared]) =>
      data(`/${file}`, async (visit, ctx, found) =>
        fileAnswer(declared.type, await declared.load(ctx, visit.query, ...aboutOf(found))),
      ),
    ),
    // Static pages have no script that requests their data.
    ...(page.isStatic ? [] : [data('.json', (visit, ...about) => dataOf(page, visit, ...about))]),
    ...(download
      ? downloadEndings.map((ending) =>
          data(`.${ending}`, async (visit, ctx, found) =>
            deps.downloads.answer(visit, {
              name: name.replaceAll('/', '-'),
              title: englishText(page.title),
              ending,
              table: await download.call(page, ctx, visit.query, ...aboutOf(found)),
            }),
          ),
        )
      : []),
  ]
}

const fileAnswer = (type: string, { bytes, filename }: PageFile) =>
  new Response(bytes, {
    headers: {
      ...unkept,
      'content-type': type,
      'content-disposition': `attachment; filename="${filename.replaceAll(/[^\w .-]/g, '_')}"`,
    },
  })

type About = readonly [ctx: PageContext, found: FoundRecord | null]

async function dataOf(page: AnyPage, visit: SignedIn, ctx: PageContext, found: FoundRecord | null) {
  const loaded = await load(page, ctx, visit.query, found)
  if (redirectOf(loaded) !== undefined) throw new Refusal('not_found', 'The page redirects.')
  return Response.json(loaded, { headers: unkept })
}

const unkept = { 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' }

const acting = (
  deps: AppPageDeps,
  page: AnyPage,
  name: string,
  action: AnyAction,
  path = `${page.path}/${name}`,
) =>
  defineRoute({
    path,
    method: 'POST',
    ...onlyOf({ ...page, only: page.only ?? action.only }),
    auth: action.auth,
    ...(action.file ? { file: action.file } : {}),
    back: page.path,
    async handle(sent) {
      const found = await recordOf(deps, page, sent, (param) => sent.form.get(param))
      const visit = { ...sent, place: found?.place ?? sent.place }
      const ctx = pageContextOf(deps, visit, page.words)
      if (!ctx || !visit.place) return noWorkspace(visit)
      if (action.refusesDemo) refuseDemo(visit.place.is_demo)
      const acting = { ...ctx, owner: asPerson(deps.owner, visit) }
      const bound = {
        input: action.input,
        run: (input: never) => action.run(acting, input),
        faultsIn: (given: Readonly<Record<string, unknown>>) => action.faultsIn?.(acting, given) ?? [],
        file: action.file?.field,
      }
      const locale = localeOfPage(page, visit)
      const ran = await runAction(name, bound, visit.form, { locale, param: page.record?.param })
      return answerTo(deps, page, visit, ran, { found, isNoticed: action.done !== undefined })
    },
  })

const actingOnCard = (deps: AppPageDeps, page: AnyPage, name: string, action: CardAction<unknown>) =>
  defineRoute({
    path: `${page.path}/${name}`,
    method: 'POST',
    only: 'owner',
    auth: action.auth ?? 'session',
    back: page.path,
    async handle(sent: SignedIn) {
      const found = await recordOf(deps, page, sent, (param) => sent.form.get(param))
      const visit = { ...sent, place: found?.place ?? null }
      const ctx = pageContextOf(deps, visit, page.words)
      if (!ctx || !found) throw new Error(`The page ${page.path} shows cards and names no record`)
      refuseDemo(!found.mayChange)
      const acting = { ...ctx, owner: asPerson(deps.owner, visit) }
      const bound = { input: action.input, run: (input: never) => action.run(acting, found.row, input) }
      const locale = localeOfPage(page, visit)
      const ran = await runAction(name, bound, visit.form, { locale, param: found.param })
      return answerTo(deps, page, visit, ran, { found, isNoticed: true })
    },
  })

interface Following {
  readonly found: FoundRecord | null
  /** Whether the page shows a notice afterwards. */
  readonly isNoticed: boolean
}

/**
 * Answers an action: the same page if the action was refused or shows something once, otherwise the page that it
 * redirects to.
 */
async function answerTo(
  deps: AppPageDeps,
  page: AnyPage,
  visit: SignedIn,
  { to, said, ...outcome }: Ran,
  { found, isNoticed }: Following,
): Promise<Response> {
  if (wantsJson(visit.request)) return answer(outcome, to && visit.at(to))
  if (to !== undefined) return visit.redirect(to)
  const back = backTo(page.path, visit.form.get('back'))
  const isDone = outcome.ok && outcome.shown === undefined
  if (isDone) return visit.redirect(isNoticed ? withNotice(back, said ?? outcome.action) : back)
  return show(deps, page, visit, back.slice(page.path.length + 1), { outcome, found })
}

function withNotice(path: string, word: string): string {
  const [own = '', search = ''] = path.split('?', 2)
  const query = new URLSearchParams(search)
  query.set('done', word)
  return `${own}?${query}`
}

const wantsJson = (request: Request) =>
  prefers(request.headers.get('accept'), 'application/json', 'text/html')

const answer = (outcome: Outcome, to: string | undefined) =>
  Response.json(to === undefined ? outcome : { ...outcome, to }, {
    status: outcome.ok ? 200 : 422,
    headers: unkept,
  })

interface Around {
  readonly outcome: Outcome | null
  readonly found: FoundRecord | null
}

async function show(
  deps: AppPageDeps,
  page: AnyPage,
  visit: SignedIn,
  search: string,
  { outcome, found }: Around,
): Promise<Response> {
  const ctx = pageContextOf(deps, visit, page.words)
  if (!ctx || !visit.place) return noWorkspace(visit)
  const query = new URLSearchParams(search)
  const data = await load(page, ctx, query, found)
  const to = redirectOf(data)
  if (to !== undefined) return visit.redirect(ownPath(to))
  const { csrf, place } = visit
  const language = pageLanguage(page.words, ctx.language)
  const locale = localeOfPage(page, visit)
  const notice = outcome ? null : noticeOf(deps, page, query.get('done'), locale)
  const served: ServedProps<unknown> = JSON.parse(
    JSON.stringify({
      data: data ?? null,
      path: page.path,
      search,
      csrf,
      outcome,
      notice: notice?.text ?? null,
      notice_lang: notice?.lang,
      workspace: pageWorkspaceOf(place),
      shortcuts: hasShortcuts(visit.person),
      now: deps.context.now().toISOString(),
      // The words of a page with a script are data. Other pages need them only here.
      language: page.isStatic ? undefined : language,
    }),
  )
  const { text: title } = shownText(page.titleOf?.(data) ?? page.title, locale)
  const isFaulty = outcome?.ok === false
  const input = {
    title: isFaulty ? errorTitle(title, locale) : title,
    language,
    status: isFaulty ? 422 : 200,
    width: page.width ?? 'wide',
  } as const
  const still = { go: ignore, reload: ignore, isBusy: false }
  if (page.isStatic) {
    const Component = deps.bundle.components.get(page.module.href)
    if (!Component) throw new Error(`The page ${page.path} was not loaded`)
    const cards = found && page.cards ? await renderCards(deps, { page, visit, ctx, found, outcome }) : null
    const sheet = deps.bundle.sheets.get(page.path)
    const { rules, refresh } = page.headOf?.(data) ?? {}
    return visit.page({
      ...input,
      rules,
      ...(sheet === undefined ? {} : { sheet }),
      ...(refresh && !outcome
        ? { headers: { refresh: `${refresh.seconds}; url=${ownPath(refresh.to)}` } }
        : {}),
      copies: true,
      children: <Component {...served} {...still} cards={cards} />,
    })
  }
  const built = deps.bundle.pages.get(page.path)
  if (!built) throw new Error(`The page ${page.path} was not built`)
  const live = { props: served, built }
  return visit.page({ ...input, live, children: <built.component {...served} {...still} /> })
}

const ignore = () => {}

const localeOfPage = ({ words }: AnyPage, { person, place }: SignedIn): PageLocale =>
  localeOf(words, languageOf(person), place?.timezone ?? 'UTC')

const load = (
  page: AnyPage,
  ctx: PageContext,
  query: URLSearchParams,
  found: FoundRecord | null,
): Promise<unknown> => page.load(ctx, query, ...aboutOf(found))

const aboutOf = (found: FoundRecord | null) => (found ? [{ row: found.row, mayChange: found.mayChange }] : [])

/** Returns the notice of an action, by the word in the address. Null for any other word. */
function noticeOf(
  deps: AppPageDeps,
  page: AnyPage,
  word: string | null,
  locale: PageLocale,
): ShownText | null {
  if (word === null) return null
  const actions = [page.actions ?? {}, ...cardsOf(deps, page).map((card) => card.actions ?? {})]
  const said = new Map<string, Wording | undefined>([
    ...Object.entries(page.notices ?? {}),
    ...actions.flatMap((some) => Object.entries(some).map(([name, { done }]) => [name, done] as const)),
  ])
  const notice = said.get(word)
  return notice === undefined ? null : declaredText(notice, locale)
}

function none(): never {
  throw new Refusal('not_found', 'You do not have access to a workspace.')
}
