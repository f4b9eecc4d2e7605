import type { PageLanguage } from '../kit/browser/page-time'
import type { Children } from '../kit/jsx/jsx-runtime'
import type { BuiltPage } from './bundle'

/** What a page shows, without the frame around it. */
export interface PageContent {
  readonly title: string
  readonly children: Children
  /** The language of the content. Default: English. */
  readonly language?: PageLanguage
  readonly width?: 'narrow' | 'wide'
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>> | Headers
  /** Adds the script for Copy buttons. Pages need no other script. */
  readonly copies?: boolean
  /** Address of a style sheet that this page needs in addition. */
  readonly sheet?: string
  /** CSS rules of this page alone. The content security policy allows exactly this text. */
  readonly rules?: string | undefined
  /** The props and the script with which the browser hydrates the page. */
  readonly live?: { readonly props: unknown; readonly built: BuiltPage }
}
