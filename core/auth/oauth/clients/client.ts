/** An app, registered or described by a document. */
export interface Client {
  readonly client_id: string
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly secret_hash: string | undefined
  /** How it registered to prove itself. It is held to that. */
  readonly auth_method: 'none' | 'client_secret_post' | 'client_secret_basic'
  /** Host of the document that names it; undefined where it only says who it is. */
  readonly named_by: string | undefined
}
