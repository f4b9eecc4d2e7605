import type { Person, Session } from '../../auth/sessions'
import type { IconName } from '../../contracts/icons'
import type { FormFile, NavCount, NavDeclaration } from '../../contracts/page'
import type { Wording } from '../../contracts/words'
import type { Host } from '../../requests/host'
import type { RequestState } from '../../requests/request'
import type { Form } from './forms'
import type { PageContent } from './page-content'
import type { VisibleWorkspace } from './workspace-access'

/** One request for a page, with what its handler needs. */
export interface Visit {
  readonly request: Request
  readonly state: RequestState
  readonly host: Host
  readonly query: URLSearchParams
  /** The fields of a POST, read and checked. Empty for a GET. */
  readonly form: Form
  /** The token for every form of the answer. */
  readonly csrf: string
  readonly session: Session | null
  readonly person: Person | null
  /** The current workspace. Null for people who are not signed in, and for people without a workspace. */
  readonly place: VisibleWorkspace | null
  /** Whether the address names the workspace. */
  readonly isNamed: boolean
  /** The name on the page: the product's, or the agency's on its own domain. */
  readonly brand: string
  /** Returns a whole page, with the navigation for people who are signed in. */
  page(content: PageContent): Response
  /** Returns the address of a page in the workspace of this visit, for answers that scripts read. */
  at(path: string): string
  /** Redirects with 303 to a path of this host, which leads to a page in the workspace of this visit. `cookies` are Set-Cookie headers. */
  redirect(to: string, cookies?: readonly string[]): Response
  /** Redirects to a page of the workspace that the person opened last and can still open, after this one may have gone. */
  leave(to: string): Response
}

/** A visit of a signed-in person. */
export type SignedIn = Visit & {
  readonly session: Session
  readonly person: Person
  /** Passes a form that waited for the password to its page. Returns errors as an answer too. */
  pass(path: string, form: Form, session: Session): Promise<Response>
}

/** The person who opens a page, and the workspace. */
export type PageReader = Pick<SignedIn, 'person' | 'place' | 'state' | 'host'>

interface PageBase {
  /** The exact path. */
  readonly path: string
  readonly method: 'GET' | 'POST'
  /** Who may open the page, among signed-in people. Default: everybody. */
  readonly only?: 'owner'
  /** Whether the page is for this person. Others do not see it in the navigation and cannot open it. */
  isFor?(person: Person): boolean
  /** Set for a settings page. The navigation has one entry for all of them, with tabs. */
  readonly section?: 'settings'
  /** Label in the navigation. Other pages link to a page without a label. */
  readonly nav?: Wording
  /** Order in the navigation, smallest first. Default 100. */
  readonly navOrder?: number
  readonly icon?: IconName
  /** `daily`, the default, or `setup`, which is below a line. */
  readonly group?: NavDeclaration['group']
  /** Whether the page is also in the bar on phones, which has space for four pages. */
  readonly onPhones?: boolean
  /** Returns the number of waiting items. It runs for every page that is opened. */
  count?(who: PageReader): Promise<NavCount | null>
  /** Where a POST redirects people who must enter the password first. Default: the path itself. */
  readonly back?: string
  /**
   * Set if the secret in the address authorizes the form, so that a mail program can send it. Origin and
   * token are not checked. Use it only for forms that do no more than the link says.
   */
  readonly isProvedByLink?: true
  /** The file that the form can send. */
  readonly file?: FormFile
  /** Set for pages that scripts call: errors are JSON, and people are not redirected to a form. */
  readonly forScripts?: boolean
}

/**
 * A page, or the handler of one of its forms. `session` requires sign-in. `recent` also requires the
 * password, once in ten minutes, and keeps the sent form until then. Every POST is first checked against
 * forgery.
 */
export type Route =
  | (PageBase & { readonly auth: 'none'; handle(visit: Visit): Promise<Response> | Response })
  | (PageBase & {
      readonly auth: 'session' | 'recent'
      handle(visit: SignedIn): Promise<Response> | Response
    })

export const defineRoute = (page: Route): Route => page

/** Whether a page is for this person. */
export const mayOpen = ({ only, isFor }: Pick<Route, 'only' | 'isFor'>, person: Person): boolean =>
  (only === undefined || only === person.role) && (isFor === undefined || isFor(person))
