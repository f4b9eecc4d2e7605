/** @jsxImportSource ../../kit/jsx */

import { Refusal } from '../../../contracts/errors'
import type { OwnerContext } from '../../../contracts/plugin'
import type {
  PublicAddress,
  PublicPageDeclaration,
  PublicViewDeclaration,
} from '../../../contracts/public-page'
import type { Handler } from '../../../http/routes'
import { englishLocale } from '../../../kit/page-locale'
import { sha256Hex } from '../../../process/crypto'
import type { Registry } from '../../../registry/registry'
import type { Host } from '../../../requests/host'
import type { Limits } from '../../../requests/limits'
import type { RequestState } from '../../../requests/request'
import { wrongMethod } from '../../../requests/wrong-method'
import { Agency } from '../../../tenancy/Agency'
import { currentWork } from '../../../work/scope'
import { bareFrame } from '../../frame/frame'
import { renderPage } from '../../frame/page'
import type { Bundle } from '../../framework/bundle'
import { readForm } from '../../framework/forms'
import { runAction } from '../../framework/run-action'
import type { Outcome, PublicPageProps } from '../../kit/browser/page-props'
import type { JSX } from '../../kit/jsx/jsx-runtime'
import { publicFile } from './public-file'
import { workspaceShown } from './workspace-shown'

/** The path under which people outside open pages and files. */
export const publicPath = '/p/'

export interface PublicPagesDeps {
  readonly registry: Pick<Registry, 'publicPages'>
  readonly limits: Pick<Limits, 'count'>
  readonly owner: OwnerContext
  readonly bundle: Bundle
}

const tokenForm = /^[0-9A-Za-z_-]{12,120}$/

/** What was asked for, and by whom it is shown. */
interface Found {
  readonly declared: PublicPageDeclaration
  readonly address: PublicAddress
  readonly agency_id: string
  readonly timezone: string
  readonly path: string
}

/**
 * Answers pages and files for people without an account. A request is counted before its token is looked up. Unknown
 * pages, tokens and files get the same answer. No cookie is read or set.
 */
export function createPublicPages(deps: PublicPagesDeps): Handler<RequestState> {
  const { limits } = deps
  return {
    async fetch(request, state) {
      const { host, path } = state
      const [name = '', token = '', file, ...rest] = path.slice(publicPath.length).split('/')
      const isPost = request.method === 'POST' && file === undefined
      const found = host && rest.length === 0 ? await find(deps, state, host, { name, token }) : null
      const { files, page } = found?.declared ?? {}
      const wanted = file === undefined ? page : files && Object.hasOwn(files, file) ? files[file] : undefined
      if (!found || !host || !wanted) throw nothing(deps, state)
      if (isPost ? !page?.submit : request.method !== 'GET' && request.method !== 'HEAD')
        throw wrongMethod(state, page?.submit && file === undefined ? ['GET', 'POST'] : ['GET'])
      const { declared, address } = found
      const url = `${host.origin}${publicPath}${name}/${token}`
      if (file !== undefined) {
        const one = declared.files?.[file]
        if (!one) throw nothing(deps, state)
        return publicFile(request, one, await one.load(deps.owner, address, { origin: host.origin, url }))
      }
      if (!page) throw nothing(deps, state)
      if (isPost && page.submit?.isGuess)
        limits.count(state, 'publicPassword', { credential: await sha256Hex(token) })
      const outcome = isPost ? await submit(deps, request, found, page) : null
      if (outcome?.ok && outcome.shown === undefined) return seeOther(found.path)
      return show(deps, host, { ...found, url }, page, outcome)
    },
  }
}

async function find(
  { registry, limits, owner }: PublicPagesDeps,
  state: RequestState,
  host: Host,
  { name, token }: { readonly name: string; readonly token: string },
): Promise<Found | null> {
  const declared = registry.publicPages.get(name)
  if (!tokenForm.test(token)) return null
  const hash = await sha256Hex(token)
  limits.count(state, 'publicPage', { credential: hash })
  const address = declared?.find ? await declared.find(owner, { text: token, hash }) : null
  const workspace = address && (await workspaceShown(owner, host, address.workspace_id))
  if (!declared || !address || !workspace) return null
  const { agency_id, timezone } = workspace
  return { declared, address, agency_id, timezone, path: `${publicPath}${name}/${token}` }
}

function nothing({ limits }: PublicPagesDeps, state: RequestState): Refusal {
  limits.count(state, 'failure')
  return new Refusal('not_found', 'There is nothing at this address.')
}

async function submit(
  { owner }: PublicPagesDeps,
  request: Request,
  { address }: Found,
  { submit: action }: PublicViewDeclaration<unknown>,
): Promise<Outcome> {
  if (!action) throw new Refusal('not_found', 'There is nothing at this address.')
  // Mail programs may send the form of RFC 8058 as multipart/form-data, without a file.
  const form = await readForm(request, { field: '', bytesMax: 0 })
  currentWork().commit()
  const run = (input: never) => action.run(owner, address, input)
  return runAction('submit', { input: action.input, run }, form, { locale: englishLocale })
}

const seeOther = (location: string) =>
  new Response(null, { status: 303, headers: { location, ...unlisted, 'cache-control': 'no-store' } })

/** A link in the page must not tell its own address, because that is the permission. */
const unlisted = { 'x-robots-tag': 'noindex, nofollow, noarchive', 'referrer-policy': 'no-referrer' }

async function show(
  { owner, bundle }: PublicPagesDeps,
  host: Host,
  { address, agency_id, timezone, path, url }: Found & { readonly url: string },
  page: PublicViewDeclaration<unknown>,
  outcome: Outcome | null,
): Promise<Response> {
  const Component = bundle.components.get(page.module.href) as
    | ((props: PublicPageProps<unknown>) => JSX.Element)
    | undefined
  if (!Component) throw new Error(`The public page ${path.split('/')[2]} was not loaded`)
  const shown = outcome?.ok ? { shown: outcome.shown } : {}
  const data: unknown = await page.load(owner, address, { origin: host.origin, url, ...shown })
  const now = owner.now().toISOString()
  const agency = await owner.rows(Agency).get(agency_id)
  const { title = page.title, brand: sender, rules } = page.headOf?.(data) ?? {}
  const brand = sender ?? (host.kind === 'white_label' ? (agency?.name ?? '') : 'Renown')
  const bare = bareFrame(host)
  const frame = { ...bare, brand, isWhiteLabel: bare.isWhiteLabel || sender !== undefined }
  const sheet = bundle.sheets.get(path.split('/').slice(0, 3).join('/'))
  const response = renderPage({
    title,
    host,
    frame,
    rules,
    time: { timezone, now },
    status: outcome === null || outcome.ok ? 200 : 422,
    ...(sheet === undefined ? {} : { sheet }),
    children: <Component data={data} path={path} outcome={outcome} now={now} agency={agency?.name ?? ''} />,
  })
  for (const [name, value] of Object.entries(unlisted)) response.headers.set(name, value)
  const policy = response.headers.get('content-security-policy') ?? ''
  response.headers.set('content-security-policy', `${policy}; form-action 'self'`)
  return response
}
