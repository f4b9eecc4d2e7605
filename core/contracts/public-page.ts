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
  run(ctx: OwnerContext, address: PublicAddress, input: InferOutput<I>): Promise<void>
}

/** A page at a public address, rendered on the server. No script runs on it, and it sets no cookie. */
export interface PublicViewDeclaration<Data> {
  /** The `.tsx` file whose default export is the component: `new URL('./page.tsx', import.meta.url)`. */
  readonly module: URL
  readonly title: string
  /** Returns all data of the component, as JSON. */
  load(ctx: OwnerContext, address: PublicAddress): Promise<Data>
  /** Its form: `POST` to the same address. */
  // biome-ignore lint/suspicious/noExplicitAny: a page holds an action of any input
  readonly submit?: PublicAction<any>
  /** CSS rules of this page. */
  readonly style?: string
}

/**
 * What people outside see without an account: a page at `GET /p/<name>/<token>`, and files at
 * `GET /p/<name>/<token>/<file>`. The token in the address is the credential. Core limits the requests of each address,
 * and answers 404 on the white-label domains of other agencies and for inactive workspaces.
 */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds pages of any data
export interface PublicPageDeclaration<Data = any> {
  readonly summary: string
  /** Returns the address that has this token. Null if there is none, or if it has expired. */
  find(ctx: OwnerContext, token: PublicToken): Promise<PublicAddress | null>
  readonly page?: PublicViewDeclaration<Data>
  /** Files by name, such as `rss.xml`. */
  readonly files?: Readonly<Record<string, PublicFileDeclaration>>
}
