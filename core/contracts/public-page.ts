import type { GenericSchema, InferOutput } from 'valibot'
import type { OwnerContext } from './owner'

/** The token in a public address. */
export interface PublicToken {
  readonly text: string
  /** Its SHA-256 (hex), as of `newToken`. Store only this if nobody has to read the address again. */
  readonly hash: string
}

/** The public address that a token belongs to. */
export interface PublicAddress {
  /** Id of the row that the plugin stores for this address. */
  readonly id: string
  readonly workspace_id: string
}

/** Where a public page was requested. */
export interface PublicRequest {
  /** The requested origin: the main one, or the white-label domain of the agency. */
  readonly origin: string
  /** The address of the page, without a file. */
  readonly url: string
}

/** A public file. */
export interface PublicFile {
  /** At most 2 MiB. */
  readonly body: string
  /** When its content last changed, ISO 8601. */
  readonly changed_at: string
}

/** A file at a public address, such as a feed. Everybody may store it for some minutes and read it from other sites. */
export interface PublicFileDeclaration {
  /** Its media type, such as `application/feed+json`. */
  readonly type: string
  load(ctx: OwnerContext, address: PublicAddress, asked: PublicRequest): Promise<PublicFile>
}

/** A form of a public page. The token in its address is the permission, so it does no more than the link says. */
export interface PublicAction<I extends GenericSchema = GenericSchema> {
  /** A `v.strictObject` of texts: the fields of the form. */
  readonly input: I
  /** Set if the form checks a password. Each attempt then counts for the page and the network of the sender. */
  readonly isGuess?: true
  /** Returns what `load` gets, if the answer is the page itself. Without a result, the answer redirects to the page. */
  // biome-ignore lint/suspicious/noConfusingVoidType: an action may end without a word
  run(ctx: OwnerContext, address: PublicAddress, input: InferOutput<I>): Promise<PublicShown | void>
}

/** The result of a form whose answer is the page itself. It is stored nowhere, so a reload asks again. */
export interface PublicShown {
  readonly shown: unknown
}

/** A request for a public page. */
export interface PublicVisit extends PublicRequest {
  /** The result of the form of the page, if it was sent and accepted. */
  readonly shown?: unknown
}

/** The title, the sender and the CSS rules of one public page. */
export interface PublicHead {
  readonly title?: string
  /** The name at the top instead of Renown's or the agency's. The page then does not show Renown's mark. */
  readonly brand?: string
  /** CSS rules of this page alone, such as the colors of a sender. */
  readonly rules?: string
}

/** A page at a public address, rendered on the server. No script runs on it, and it sets no cookie. */
export interface PublicViewDeclaration<Data> {
  /** The `.tsx` file whose default export is the component: `new URL('./page.tsx', import.meta.url)`. */
  readonly module: URL
  readonly title: string
  /** Returns all data of the component, as JSON. */
  load(ctx: OwnerContext, address: PublicAddress, visit: PublicVisit): Promise<Data>
  /** Returns the head of the page. Default: `title`, and the usual name. */
  headOf?(data: Data): PublicHead
  /** Its form: `POST` to the same address. */
  // biome-ignore lint/suspicious/noExplicitAny: a page holds an action of any input
  readonly submit?: PublicAction<any>
  /** CSS rules of this page. */
  readonly style?: string
}

/** A file at `/uploads/<name>/<workspace_id>/<file>`. */
export interface UploadAddress {
  readonly workspace_id: string
  /** The last part of the address, such as `<uuid>.pdf`. */
  readonly file: string
}

/** The content of a file. */
export interface Upload {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The name under which browsers save it. */
  readonly filename: string
  /** Its media type, if it differs from the usual one. Browsers then save it instead of showing it. */
  readonly type?: string
}

/**
 * Files that everybody who knows their address may open: `GET /uploads/<name>/<workspace_id>/<file>`. A file needs a name
 * that cannot be guessed, such as a random UUID.
 */
export interface UploadDeclaration {
  /** Media type, such as `application/pdf`. */
  readonly type: string
  /** Returns the content of a file, the same each time. Null if there is no such file. */
  load(ctx: OwnerContext, address: UploadAddress): Promise<Upload | null>
}

/**
 * What people outside see without an account: a page at `GET /p/<name>/<token>`, files at
 * `GET /p/<name>/<token>/<file>`, and files with an address of their own at `GET /uploads/<name>/<workspace_id>/<file>`.
 * The token or the file name in the address is the credential. Core limits the requests of each address, and answers 404
 * on the white-label domains of other agencies and for inactive workspaces.
 */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds pages of any data
export interface PublicPageDeclaration<Data = any> {
  readonly summary: string
  /** Returns the address that has this token. Null if there is none, or if it has expired. Needed for `page` and `files`. */
  find?(ctx: OwnerContext, token: PublicToken): Promise<PublicAddress | null>
  readonly page?: PublicViewDeclaration<Data>
  /** Files by name, such as `rss.xml`. */
  readonly files?: Readonly<Record<string, PublicFileDeclaration>>
  readonly uploads?: UploadDeclaration
}
