import type { OwnerContext } from './owner'

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
 * that cannot be guessed, such as a random UUID. Core limits the requests of each address, and answers 404 on the
 * white-label domains of other agencies and for inactive workspaces.
 */
export interface UploadDeclaration {
  readonly summary: string
  /** Media type, such as `application/pdf`. */
  readonly type: string
  /** Returns the content of a file, the same each time. Null if there is no such file. */
  load(ctx: OwnerContext, address: UploadAddress): Promise<Upload | null>
}
