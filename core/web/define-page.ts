import type { Person, Session } from '../auth/sessions'
import type { IconName } from '../contracts/icons'
import type { NavDeclaration } from '../contracts/page'
import type { Host } from '../requests/host'
import type { RequestState } from '../requests/request'
import type { Form } from './forms'
import type { PageInput } from './page'
import type { VisibleWorkspace } from './workspace-access'

/** One request for a page, with what its handler needs. */
export interface Visit {
  readonly request: Request
  readonly state: RequestState
  readonly host: Host
  readonly query: URLSearchParams
  /** What was sent, read and checked; nothing for a GET. */
  readonly form: Form
  /** The token that every form of the answer carries. */
  readonly csrf: string
  readonly session: Session | null
  readonly person: Person | null
  /** The workspace that pages are about; null for strangers, and for people who were given none. */
  readonly place: VisibleWorkspace | null
  /** The name that stands on the page: the product's, or the agency's on its own domain. */
  readonly brand: string
  /** A whole page, with the navigation for people who are signed in. */
  page(input: Omit<PageInput, 'host' | 'frame'>): Response
  /** 303 to a path of this host; `cookies` are Set-Cookie headers. */
  redirect(to: string, cookies?: readonly string[]): Response
}

/** A visit of somebody who is signed in. */
export type SignedIn = Visit & {
  readonly session: Session
  readonly person: Person
  /** Hands a form that waited for the password to the page that it was sent to. What goes wrong there is an answer too. */
  pass(path: string, form: Form, session: Session): Promise<Response>
}

/** Who looks at a page, and at which workspace. */
export type PageReader = Pick<SignedIn, 'person' | 'place' | 'state' | 'host'>

interface PageBase {
  /** An exact path. */
  readonly path: string
  readonly method: 'GET' | 'POST'
  /** Whom it is for among those who are signed in; everybody where it is left out. */
  readonly only?: 'owner'
  /** One of the settings: the navigation has one entry for all of them, and tabs while one of them is shown. */
  readonly section?: 'settings'
  /** Its name in the navigation; a page without one is reached from other pages. */
  readonly nav?: string
  /** Small ones come first: 100 where it is left out. */
  readonly navOrder?: number
  readonly icon?: IconName
  /** `daily`, the default, or `setup`, which stands below a line. */
  readonly group?: NavDeclaration['group']
  /** Also in the bar of phones, which has room for four pages. */
  readonly onPhones?: boolean
  /** How much waits there. It is counted for every page that is opened. */
  count?(who: PageReader): Promise<number | null>
  /** Where a POST sends people who must enter the password first. Its own path when left out. */
  readonly back?: string
  /**
   * A secret in the address proves the form, so that a mail program can send it. Its origin and its token are not checked. Only
   * for forms that do nothing but what the link is for.
   */
  readonly isProvedByLink?: true
  /** Used by scripts: errors are JSON, and nobody is redirected to a form. */
  readonly forScripts?: boolean
}

/**
 * A page, or the handler of one of its forms. `session` requires sign-in. `recent` also requires the password, once
 * in ten minutes, and keeps the sent form until then. Every POST is checked against forgery first.
 */
export type Page =
  | (PageBase & { readonly auth: 'none'; handle(visit: Visit): Promise<Response> | Response })
  | (PageBase & {
      readonly auth: 'session' | 'recent'
      handle(visit: SignedIn): Promise<Response> | Response
    })

export const definePage = (page: Page): Page => page
