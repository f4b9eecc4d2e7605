/** @jsxImportSource ./jsx */
import * as v from 'valibot'
import { type ContextDeps, readContext } from '../contexts/context'
import { type Fault, isRefusal, Refusal } from '../contracts/errors'
import type { ActionContext, ActionDeclaration, AnyPage, PageContext, PageCounter } from '../contracts/page'
import type { OwnerContext } from '../contracts/plugin'
import { prefers } from '../requests/accept'
import { hasShortcuts } from './account/shortcuts'
import type { Bundle } from './bundle'
import type { Outcome, ServedProps } from './client/page-props'
import { definePage, type Page, type SignedIn } from './define-page'
import { backTo, isSecretField, ownPath } from './forms'
import { csvOf } from './parts/csv'
import { asPerson } from './parts/done-by'
import { noPlace } from './parts/no-place'
import { givenTo, shownPlace } from './places'
import type { Streams } from './streams/events'

export interface AppPageDeps {
  readonly pages: readonly AnyPage[]
  readonly bundle: Bundle
  readonly context: ContextDeps
  readonly owner: OwnerContext
  readonly counter: PageCounter | null
  readonly streams: Streams
}

/** The pages that plugins declare, with their data, their forms and their news, as entries of the one table. */
export const declaredPages = (deps: AppPageDeps): Page[] =>
  deps.pages.flatMap((page) => [
    showing(deps, page),
    ...downloads(deps, page),
    ...Object.entries(page.actions ?? {}).map(([name, action]) => acting(deps, page, name, action)),
    ...Object.entries(page.events ?? {}).map(([topic, listen]) =>
      definePage({
        path: `/app/events/${topic}`,
        method: 'GET',
        ...onlyOf(page),
        auth: 'session',
        forScripts: true,
        handle: (visit) => {
          const ctx = pageContextOf(deps, visit)
          return ctx ? deps.streams.open(visit, (signal) => listen(ctx, visit.query, signal)) : none()
        },
      }),
    ),
  ])

const onlyOf = ({ only }: Pick<AnyPage, 'only'>) => (only ? { only } : {})

const showing = (deps: AppPageDeps, page: AnyPage) =>
  definePage({
    path: page.path,
    method: 'GET',
    ...onlyOf(page),
    auth: 'session',
    ...(page.nav ? { nav: page.nav.label, navOrder: page.nav.order } : {}),
    handle: (visit) => show(deps, page, visit, visit.state.search, null),
  })

function downloads(deps: AppPageDeps, page: AnyPage): Page[] {
  const name = page.path.slice('/app/'.length)
  const data = (ending: string, answer: (data: unknown) => Response) =>
    definePage({
      path: `/app/data/${name}.${ending}`,
      method: 'GET',
      ...onlyOf(page),
      auth: 'session',
      forScripts: true,
      async handle(visit) {
        const ctx = pageContextOf(deps, visit)
        return ctx ? answer(await page.load(ctx, visit.query)) : none()
      },
    })
  const file = `${name.replaceAll('/', '-')}.csv`
  const { csv } = page
  return [
    data('json', (loaded) => Response.json(loaded, { headers: unkept })),
    ...(csv
      ? [
          data(
            'csv',
            (loaded) =>
              new Response(csvOf(csv(loaded)), {
                headers: {
                  ...unkept,
                  'content-type': 'text/csv; charset=utf-8',
                  'content-disposition': `attachment; filename="${file}"`,
                },
              }),
          ),
        ]
      : []),
  ]
}

const unkept = { 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' }

const acting = (deps: AppPageDeps, page: AnyPage, name: string, action: ActionDeclaration) =>
  definePage({
    path: `${page.path}/${name}`,
    method: 'POST',
    ...onlyOf(page.only ? page : action),
    auth: action.auth,
    back: page.path,
    async handle(visit) {
      const ctx = pageContextOf(deps, visit)
      if (!ctx) return noPlace(visit)
      const { to, ...outcome } = await run(
        { ...ctx, owner: asPerson(deps.owner, visit) },
        name,
        action,
        visit,
      )
      if (wantsJson(visit.request)) return answer(outcome, to)
      if (to !== undefined) return visit.redirect(to)
      const back = backTo(page.path, visit.form.get('back'))
      const isDone = outcome.ok && outcome.shown === undefined
      if (isDone) return visit.redirect(back)
      return show(deps, page, visit, back.slice(page.path.length + 1), outcome)
    },
  })

const wantsJson = (request: Request) =>
  prefers(request.headers.get('accept'), 'application/json', 'text/html')

const answer = (outcome: Outcome, to: string | undefined) =>
  Response.json(to === undefined ? outcome : { ...outcome, to }, {
    status: outcome.ok ? 200 : 422,
    headers: unkept,
  })

/** Runs an action on what was sent. What is refused is an outcome too: the page says it, with what was typed. */
async function run(
  ctx: ActionContext,
  name: string,
  action: ActionDeclaration,
  { form }: SignedIn,
): Promise<Outcome & { readonly to?: string | undefined }> {
  const sent = Object.fromEntries(
    form
      .names()
      .filter((field) => field !== 'csrf' && field !== 'back')
      .map((field) => [field, form.all(field).length > 1 ? form.all(field) : form.get(field)]),
  )
  const values = Object.fromEntries(Object.entries(sent).filter(([field]) => !isSecretField(field)))
  const failed = (fault: string, faults: Readonly<Record<string, string>> = {}) => ({
    ...{ action: name, ok: false, fault, faults, values },
    to: undefined,
  })
  const parsed = v.safeParse(action.input, sent)
  if (!parsed.success) return failed('A value in the form is invalid.', faultsOf(parsed.issues))
  try {
    const { shown, to } = (await action.run(ctx, parsed.output)) ?? {}
    return { action: name, ok: true, ...(shown === undefined ? {} : { shown }), to: to && ownPath(to) }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return failed(error.message, refused(error.details.errors ?? []))
  }
}

const faultsOf = (issues: readonly v.BaseIssue<unknown>[]) =>
  Object.fromEntries(issues.toReversed().map((issue) => [String(issue.path?.[0]?.key ?? ''), issue.message]))

const refused = (errors: readonly Fault[]) =>
  Object.fromEntries(errors.map(({ pointer, message }) => [(pointer ?? '').slice(1), message]))

async function show(
  deps: AppPageDeps,
  page: AnyPage,
  visit: SignedIn,
  search: string,
  outcome: Outcome | null,
): Promise<Response> {
  const ctx = pageContextOf(deps, visit)
  const built = deps.bundle.pages.get(page.path)
  if (!ctx || !visit.place) return noPlace(visit)
  if (!built) throw new Error(`The page ${page.path} was not built`)
  const data = await page.load(ctx, new URLSearchParams(search))
  const { csrf, place } = visit
  const served: ServedProps<unknown> = JSON.parse(
    JSON.stringify({
      ...{ data: data ?? null, path: page.path, search, csrf, outcome },
      workspace: shownPlace(place),
      shortcuts: hasShortcuts(visit.person),
    }),
  )
  const Component = built.component
  const isFaulty = outcome?.ok === false
  return visit.page({
    title: isFaulty ? `Error: ${page.title}` : page.title,
    status: isFaulty ? 422 : 200,
    width: 'wide',
    live: { props: served, built },
    children: <Component {...served} go={ignore} reload={ignore} isBusy={false} />,
  })
}

const ignore = () => {}

/** What a page reads through: the workspace that the person looks at. Null where there is none. */
export function pageContextOf(
  deps: AppPageDeps,
  { place, person, state, host }: SignedIn,
): PageContext | null {
  if (!place) return null
  const { info } = place
  const given = givenTo(person)
  const reading = readContext(deps.context, {
    workspace: info,
    credential: {
      kind: 'person',
      agency_id: info.agency_id,
      platform: false,
      scopes: ['read', 'write'],
      ...(given ? { workspace_ids: given } : {}),
    },
    requestId: state.id,
  })
  const { id, agency_id, role, name, email } = person
  return {
    ...reading,
    person: {
      ...{ id, agency_id, role },
      ...(name === undefined ? {} : { name }),
      ...(email === undefined ? {} : { email }),
    },
    apiUrl: host.origin,
    ingestUrl: deps.owner.ingestUrl,
    counter: deps.counter,
  }
}

function none(): never {
  throw new Refusal('not_found', 'You do not have access to a workspace.')
}
